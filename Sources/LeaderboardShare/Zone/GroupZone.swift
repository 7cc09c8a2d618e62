package import NodeCore
package import SyncState

/// A group's zone on this node: the replicated set, and the group derived from it.
///
/// All records of a group are immutable and signed by their lane's key, and every one is stored and passed on. Whether
/// it counts is judged when reading, by `GroupState`, a function of the set: so the sets of two nodes can be compared
/// at any time, and nothing depends on arrival order. Confined to one thread, like an account's zone.
package final class GroupZone {
    /// The member's key, the same on all devices of its account.
    package let memberKey: Ed25519.KeyPair
    package let ring: GroupKeyRing
    package let store: ZoneStore
    /// Devices with an open session, ascending. Set by the owner of the sessions.
    package var connectedDevices: [LaneID] = []
    var random: any RandomSource
    /// Seals roots in the store.
    let vaultKey: Secret

    /// The content of the records held, except scores.
    var contents: GroupContents
    /// The locations of the scores, and which of them count.
    let index: ScoreIndex
    var newScores = NewScores()
    /// Posted results that nobody has asked for yet.
    var posted: [PostedScore] = []
    /// The time this node learnt of the group; it did not see older records arrive.
    var since: WallTime?
    /// The display name may still have to be posted. Cleared after a check, once this node knows that it is a member.
    var hasWantedName = true
    /// The user's pause of the group's sync.
    package internal(set) var ownPause: ZonePause?
    /// The pause of its account; set by the owner of the account.
    package var accountPause: ZonePause?
    /// The reason that this member writes nothing more, according to its account's devices; nil while it is a member.
    /// Set by the owner of the account: another device may have learnt first of the removal, or of the group's end.
    package var accountEnd: GroupError?
    /// Records that no held root opens.
    package var lockedCount: Int { contents.locked }
    /// Records of a type that this version does not know.
    package var unknownRecords: Int { contents.unknown }
    var knownState: GroupState? {
        didSet {
            knownScoreKeys = nil
            index.knownLanes = [:]
            newScores.lookAgain()
        }
    }
    /// The lanes entitled to a place, once computed in this commit.
    var keptLanes: Set<LaneID>?
    var knownScoreKeys: [MemberID: Bytes16]?
    /// Rows were lost: memory must be read again.
    var mustReread = false
    /// A root arrived while some records were unreadable: it may open them, whoever wrote them.
    var mustUnlock = false
    /// Records that prove the membership of this member and of those it met, until they are among the records held.
    var vouched: [RecordHash: ControlRecord] = [:]
    var knownDoorState: GroupState?
    /// Void epochs whose useful records have been rewritten.
    var rewrittenEpochs: Set<UInt64> = []
    /// The state when records were last processed.
    var settledState: GroupState?
    /// A peer has proved that this member was removed.
    var isDismissed = false
    /// A peer has shown that it knows that this member left.
    package internal(set) var isKnownToHaveLeft = false
    /// Counts changes of the members this node may talk to.
    package internal(set) var accessRevision: UInt64 = 0
    var seenAccess: SeenAccess?
    /// The number of ownerships when records were last processed.
    var knownOwnerships = 0
    /// This member owns the group, or once did.
    var hasOwned = false
    /// Known only to this member's devices.
    let ownKey: DoorKey
    /// The keys as last derived.
    var knownPlaceKeys: KnownPlaceKeys?
    /// There are invitations, and this member may admit.
    var answersKnocks = false
    private(set) lazy var door = GroupDoor(self)
    /// New control records have not been processed yet: `work` does that.
    var isUnsettled = true

    /// Opens the group's store, creating its tables where they are missing.
    ///
    /// - Parameters:
    ///   - memberSeed: seed of the member's key.
    ///   - first: the first epoch; later ones are kept in the store.
    /// - Throws: `DatabaseError` (also for a newer schema), `StoreError`.
    package init(
        database: Database, group: ZoneID, first: GroupEpoch, memberSeed: Secret, deviceSecret: Secret,
        random: any RandomSource
    ) throws {
        var random = random
        try database.migrate("zone", ZoneSchema.migrations)
        memberKey = Ed25519.KeyPair(seed: memberSeed)
        vaultKey = HKDF.derive(memberSeed, "group/vault")
        ownKey = DoorKey(
            discovery: HKDF.derive(memberSeed, "group/own/discovery", group.bytes),
            session: HKDF.derive(memberSeed, "group/own/session", group.bytes))
        ring = GroupKeyRing(group: group, first: first)
        store = try ZoneStore(
            database: database, sealer: ring, deviceSecret: deviceSecret, random: random.split())
        index = try ScoreIndex(database: database)
        contents = GroupContents(group: group)
        self.random = random
        try store.attach(self)
        try loadRoots()
        try loadVouchers()
        try loadDismissal()
        try loadPause()
        try loadSince()
        try reread()
        try certifyLane()
    }

    package var zone: ZoneID { ring.zone }
    package var handle: PlaceID { Self.handle(group: zone, member: member) }

    /// A node's handle for a group's zone of one of its accounts.
    package static func handle(group: ZoneID, member: MemberID) -> PlaceID {
        PlaceID(Blake2b.hash32(group.bytes, member.bytes, domain: "kachat handle"))
    }

    package var member: MemberID { MemberID(memberKey.publicKey) }

    /// The group, according to the held control records.
    package var state: GroupState {
        if let knownState { return knownState }
        let state = GroupState(group: zone, records: contents.controls.values)
        knownState = state
        return state
    }

    // MARK: Roots

    private static let rootsKey = "roots"

    /// Stores the root of a further epoch. True if it was not held.
    func hold(_ epoch: GroupEpoch) throws -> Bool {
        guard ring.add(epoch) else { return false }
        if contents.locked > 0 { mustUnlock = true }
        isUnsettled = true
        try storeRoots()
        return true
    }

    func storeRoots() throws {
        var writer = CBORWriter()
        let later = ring.epochs.dropFirst()
        writer.writeArray(later.count)
        for epoch in later {
            writer.write(epoch.record)
            epoch.root.withUnsafeBytes { writer.write(bytes: Array($0)) }
        }
        let sealed = XChaChaPoly.seal(
            writer.bytes, associatedData: zone.bytes, key: vaultKey, random: &random)
        try store.put(setting: Self.rootsKey, sealed)
    }

    func loadRoots() throws {
        guard let sealed = try store.setting(Self.rootsKey) else { return }
        do {
            var reader = CBORReader(try XChaChaPoly.open(sealed, associatedData: zone.bytes, key: vaultKey))
            for _ in 0..<(try reader.readArray(max: Limits.roots)) {
                let record = try reader.read(RecordHash.self)
                _ = ring.add(GroupEpoch(record: record, root: Secret(bytes: try reader.readBytes(max: 32))))
            }
        } catch {
            throw StoreError.damaged("the group's roots")
        }
    }

    // MARK: Memory

    private static let indexedKey = "indexed"

    /// True if the tables with the records' locations exist. Creating them writes.
    var hasIndex: Bool { get throws { try store.setting(Self.indexedKey) != nil } }

    /// Forgets everything read from records.
    func forget() {
        contents = GroupContents(group: zone)
        rewrittenEpochs = []
        mustUnlock = false
        knownState = nil
        knownDoorState = nil
    }

    /// Reads memory again: at the start, after a rollback, and when a root opens locked records. Scores are not read:
    /// their locations are in tables, unless the store was made before these existed, or lost rows.
    ///
    /// - Parameter isWhole: also rebuilds the tables.
    func reread(isWhole: Bool = false) throws {
        forget()
        var named: [Record] = []
        if try !isWhole && hasIndex {
            try index.load()
            for row in try index.tables.otherRows() {
                var opened: [(score: DailyScore, record: Record)] = []
                var isOther = false
                for record in try store.records(lane: row.lane, seq: row.seq) {
                    let content: GroupRecord?
                    do { content = try read(record) } catch { continue }
                    if case .score(let score)? = content {
                        // A root has opened it.
                        opened.append((score, record))
                    } else {
                        isOther = true
                        enter(content, of: record)
                        if case .unnamed? = content { named.append(record) }
                    }
                }
                // If a forked lane has another record at its place, it is processed here each time.
                if !opened.isEmpty, !isOther { try index.tables.dropOther(lane: row.lane, seq: row.seq) }
                for (score, record) in opened {
                    if isOther { index.known(score.member).map(index.forget) }
                    try file(score, record, number: row.lane)
                    newScores.add(score, record.hash, today: Day(store.wall))
                }
            }
        } else {
            try store.put(setting: Self.indexedKey, [1])
            try index.wipe()
            try store.forEachRecord { record in
                let content: GroupRecord?
                // It rotted, or an opened root showed that it is malformed; the scrub removes it.
                do { content = try read(record) } catch { return }
                try file(content, of: record)
                if case .unnamed? = content { named.append(record) }
            }
        }
        for record in named {
            guard let blob = record.blob,
                let bytes = try store.blob(of: record.lane, seq: record.seq, hashPrefix: blob.hash.shortPrefix)
            else { continue }
            bytes.withUnsafeBytes { name(record, $0) }
        }
        useNewestRoot()
        isUnsettled = true
    }

    /// A record's row is now held: scores go into the tables, everything else into memory.
    func file(_ content: GroupRecord?, of record: Record) throws {
        guard let number = store.laneNumber(record.lane) else { return }
        if case .score(let score)? = content { return try file(score, record, number: number) }
        try index.tables.putOther(lane: number, seq: record.seq)
        enter(content, of: record)
    }

    private func file(_ score: DailyScore, _ record: Record, number: Int) throws {
        try index.add(
            score, hash: record.hash, lane: record.lane, number: number, seq: record.seq, isLate: try isLate(score))
    }

    /// Adds a record that is not a score to memory; its row is held.
    private func enter(_ content: GroupRecord?, of record: Record) {
        if contents.enter(content, of: record, isOwn: record.lane == lane) { noteControls() }
        if case .handover? = content { isUnsettled = true }
        if case .game? = content { newScores.lookAgain() }
    }

    /// Enters a control record whose list of names has arrived.
    func name(_ record: Record, _ blob: UnsafeRawBufferPointer) {
        guard contents.unnamed[record.hash] != nil, let names = ring.openNames(blob, header: record.header),
            contents.name(record.hash, names)
        else { return }
        noteControls()
    }

    /// Control records came in.
    private func noteControls() {
        knownState = nil
        knownDoorState = nil
        isUnsettled = true
    }

    /// Seals new records under the newest valid root that is held. A root whose record is not here yet came with the
    /// welcome; it is used until the control log says otherwise.
    func useNewestRoot() {
        guard contents.controls[ring.current.record] != nil || ring.current.record == ring.epochs[0].record else {
            return
        }
        let valid = ring.epochs.filter { state.roots.contains($0.record) }
        let newest = valid.max { left, right in
            let (one, other) = (state.rootNumber(left.record), state.rootNumber(right.record))
            return one != other ? one < other : left.record > right.record
        }
        ring.use(newest ?? ring.epochs[0])
    }
}
