package import Ledger
package import NodeCore
package import SyncState

/// A group's zone on this node: the replicated set, and the group derived from it.
///
/// The ledger says who belongs; names, games and results are rows, immutable and signed, each naming the one before
/// it. Whether a row counts is judged when reading, by the ledger's state: so nothing depends on arrival order.
/// Confined to one thread, like an account's zone.
package final class GroupZone {
    let context: GroupContext
    /// The members of the group.
    package let roster: GroupRoster
    package let invitations: GroupInvitations
    package let successor: GroupSuccessor
    /// The rows held, except scores.
    var contents = GroupContents()
    /// The locations of the scores, and which of them count.
    let index: ScoreIndex
    var newScores = NewScores()
    /// Posted results that nobody has asked for yet.
    private var posted: [PostedScore] = []
    /// The time this node learnt of the group; it did not see older records arrive.
    var since: WallTime?
    /// The user's pause of the group's sync.
    package private(set) var ownPause: ZonePause?
    /// The pause of its account; set by the owner of the account.
    package var accountPause: ZonePause?
    /// The revision of the ledger from which the state here follows.
    var settled: UInt64?
    var ledgerScoreKeys = ScoreKeys()
    /// When members came in, as far as it was asked.
    var entrances: [MemberID: WallTime] = [:]
    /// Whether rows were lost, so that memory must be read again.
    var mustReread = false
    /// When the next of this member's invitations ends by itself; nil if none does.
    private(set) var nextExpiry: WallTime?
    /// True if there are invitations, even if only ended ones: a joiner who knocks is let in, or told why not.
    private(set) var answersKnocks = false
    private(set) lazy var door = GroupDoor(self)

    /// Opens the group's store, creating its tables where they are missing.
    ///
    /// - Parameter firstTag: of this device's lane in a new store; nil for a random one.
    /// - Throws: `DatabaseError` (also for a newer schema), `StoreError`.
    package init(
        database: Database, keys: GroupKeys, deviceSecret: Secret, firstTag: Bytes16? = nil,
        random: any RandomSource
    ) throws {
        context = try GroupContext(
            database: database, keys: keys, deviceSecret: deviceSecret, firstTag: firstTag, random: random)
        index = try ScoreIndex(database: database)
        let contents = ContentsBox()
        roster = GroupRoster(context) { contents.zone?.contents ?? GroupContents() }
        invitations = GroupInvitations(context, roster)
        successor = GroupSuccessor(context)
        contents.zone = self
        try context.store.attach(self)
        try loadPause()
        try loadSince()
        try reread()
    }

    private final class ContentsBox {
        weak var zone: GroupZone?
    }

    package var keys: GroupKeys { context.keys }
    package var store: ZoneStore { context.store }
    package var membership: ZoneMembership { context.membership }
    package var zone: ZoneID { keys.zone }
    package var member: MemberID { keys.member }
    /// The group, according to the held control records.
    package var state: LedgerState { context.state }
    package var access: GroupAccess { context.access }
    package var handle: PlaceID { Self.handle(group: zone, member: member) }

    /// The reason that this member writes nothing more, according to its account's devices; nil while it is a member.
    /// Set by the owner of the account: another device may have learnt first of the removal, or of the group's end.
    package var accountEnd: GroupError? {
        get { context.accountEnd }
        set { context.accountEnd = newValue }
    }

    /// A node's handle for a group's zone of one of its accounts.
    package static func handle(group: ZoneID, member: MemberID) -> PlaceID {
        PlaceID(Blake2b.hash32(group.bytes, member.bytes, domain: "kachat handle"))
    }

    // MARK: Beginning

    /// Creates a group. This device's lane is the founder's first.
    ///
    /// - Parameters:
    ///   - person: the person with which the account founds it.
    ///   - database: opens the store for the group with these keys.
    package static func found(
        title: String, description: String = "", person: PersonID, database: (GroupKeys) throws -> Database,
        deviceSecret: Secret, random: any RandomSource, wall: WallTime, memberLimit: UInt32 = 500
    ) throws -> GroupZone {
        guard GroupTitle(title: title, description: description).isWritable else { throw GroupError.badTitle }
        var random = random
        let device = DeviceKeys(deviceSecret: deviceSecret, tag: random.identifier())
        let root = Secret(random: &random, count: Ledger.Limits.rootBytes)
        let genesis = LedgerRecord(
            zone: .zero, signer: device.signing.publicKey, prev: .zero,
            act: .genesis(
                .group(
                    GroupGenesis(
                        person: person, firstLane: device.lane, memberLimit: memberLimit,
                        root: ZoneRoot.commitment(to: root)))), sign: device.signing.sign)
        guard let keys = GroupKeys(genesis: genesis, root: root, person: person, firstLane: device.lane) else {
            preconditionFailure("invariant: the record just made begins a group")
        }
        let zone = try GroupZone(
            database: try database(keys), keys: keys, deviceSecret: deviceSecret, firstTag: device.tag,
            random: random.split())
        zone.store.setTime(now: .zero, wall: wall)
        try zone.membership.enter(zone.store.device, by: .founder)
        try zone.roster.rename(title, description: description)
        return zone
    }

    /// Creates the zone of a newly admitted member: it knows the first root, and learns everything else from the other
    /// members.
    package static func join(
        _ welcome: GroupWelcome, database: Database, deviceSecret: Secret, random: any RandomSource
    ) throws -> GroupZone {
        let zone = try GroupZone(
            database: database, keys: welcome.keys, deviceSecret: deviceSecret, firstTag: welcome.tag, random: random)
        try zone.take(welcome)
        return zone
    }

    /// Takes another admission of the same lane.
    package func take(_ welcome: GroupWelcome) throws { try context.keep(entrance: welcome.shown) }

    // MARK: Other devices of this member

    /// This device's lane, while nobody has let it in; nil once it stands, and for one that is shut out.
    package var lacking: (lane: LaneID, sealKey: Bytes32)? {
        switch membership.ownStanding {
        case .unknown, .lapsed, .displaced:
            // The lane that let it in may be gone meanwhile.
            let shown = context.entrance
            let isOnItsWay =
                !shown.isEmpty && membership.assuming(shown)?.standing(of: membership.own) == .active
            guard !membership.isOver, !isOnItsWay, !state.isClosed else { return nil }
            return (store.device.lane, store.device.sealing.publicKey)
        case .active, .succeeded, .left, .removed: return nil
        }
    }

    /// Lets in another device of this member; nil if this one does not stand itself, or that one stands.
    package func endorse(_ lane: LaneID, sealKey: Bytes32) throws -> GroupEndorsement? {
        guard membership.ownStanding == .active else { return nil }
        switch state.standing(of: membership.key(of: lane)) {
        case .unknown, .lapsed, .displaced: break
        case .active, .succeeded, .left, .removed: return nil
        }
        return GroupEndorsement(
            endorser: store.device.lane, signature: membership.endorse(lane, sealKey: sealKey),
            path: state.path(of: membership.own).map(\.encoded))
    }

    /// Enters this device's lane, which another device of this member let in. Does nothing if it was let in for others.
    package func enter(by endorsement: GroupEndorsement) throws {
        guard lacking != nil else { return }
        let device = store.device
        let enter = Enter(
            person: keys.person, firstLane: keys.firstLane, sealKey: device.sealing.publicKey,
            entrance: .lane(endorsement.endorser, endorsement.signature))
        let record = LedgerRecord(
            zone: zone, signer: device.signing.publicKey, prev: .zero, act: .enter(enter), sign: device.signing.sign)
        guard (try? record.verify()) != nil else { return }
        try store.begin()
        try context.keep(entrance: [record.encoded] + endorsement.path)
    }

    // MARK: Rows

    private static let indexedKey = "indexed"

    /// True if the tables with the records' locations exist. Creating them writes.
    var hasIndex: Bool { get throws { try store.setting(Self.indexedKey) != nil } }

    /// Reads memory again: at the start, and after a rollback. Scores are not read: their locations are in tables,
    /// unless the store lost rows.
    ///
    /// - Parameter isWhole: also rebuilds the tables.
    func reread(isWhole: Bool = false) throws {
        settled = nil
        mustReread = false
        _ = context.rows.takeLaneChanges()
        try index.load()
        if try !isWhole && hasIndex && index.isReadable {
            contents = try GroupContents(index.tables, context.rows, read: read)
            return
        }
        contents = GroupContents()
        try store.put(setting: Self.indexedKey, [1])
        try index.wipe()
        for lane in store.vector { try file(lane.id) }
        contents.noteRules(context.rows)
    }

    /// Files the rows held of a lane.
    ///
    /// - Parameter member: only those that name this member; nil for all.
    private func file(_ lane: LaneID, naming member: MemberID? = nil) throws {
        try RowArrivals(store).forEach(of: lane) { encoded, at, isHeld in
            guard isHeld, let record = try? Record(encoded: encoded) else { return }
            let content: GroupRecord?
            // It rotted; the scrub removes it.
            do { content = try read(record) } catch { return }
            guard member == nil || content?.member == member else { return }
            try file(content, of: record, at: at)
        }
    }

    /// A record's row is now held: scores go into the tables, everything else into memory.
    ///
    /// - Parameter at: when it came, if that is known without looking.
    func file(_ content: GroupRecord?, of record: Record, at: WallTime? = nil) throws {
        guard let number = store.laneNumber(record.lane), context.rows.isFiled(content, in: record.lane) else { return }
        if case .score(let score)? = content {
            return try index.add(
                score, name: record.name, lane: record.lane, number: number, seq: record.seq,
                arrival: try arrival(of: score, in: record, at: at))
        }
        try index.tables.putOther(lane: number, seq: record.seq)
        contents.enter(content, of: record, context.rows)
    }

    /// The content of a record; nil for a type of a later version.
    func read(_ record: Record) throws(RecordRejection) -> GroupRecord? {
        let meta = try context.sealer.open(record)
        let content: GroupRecord?
        do {
            content = try GroupRecord(meta)
        } catch {
            throw .malformedFields
        }
        if let name = content?.slotName, context.sealer.slot(named: Array(name.utf8), tag: meta.tag) != record.slot {
            throw .foreignSlot
        }
        return content
    }

    // MARK: Turns

    /// Follows the ledger: takes new roots, and does what this device owes the others.
    func settle() throws {
        if mustReread { try reread(isWhole: true) }
        guard settled != membership.records.revision else { return }
        try context.enterAgain()
        try membership.learn()
        try invitations.endOver()
        nextExpiry = invitations.nextExpiry
        try roster.noteClose()
        let lanes = context.rows.takeLaneChanges()
        for key in lanes.entered {
            try store.begin()
            try file(key.lane, naming: key.member)
        }
        try context.rows.settle()
        if mustReread {
            try reread(isWhole: true)
        } else if lanes.isAnyGone || contents.isStale(context.rows) {
            contents = try GroupContents(index.tables, context.rows, read: read)
        }
        settled = membership.records.revision
        ledgerScoreKeys.forget()
        entrances = [:]
        index.knownLanes = [:]
        newScores.lookAgain()
        answersKnocks = mayAnswer
    }

    private var mayAnswer: Bool {
        switch access {
        case .member, .suspended, .closed:
            state.role(of: member) >= .member && state.set.records.contains(where: \.isInvite)
        case .joining, .lapsed, .left, .removed: false
        }
    }

    /// Processes new records, and makes the result durable.
    package func commit() throws {
        if membership.isSucceeded { try store.startAfresh(.succeeded) }
        try settle()
        if index.arrived.count >= Limits.countedAtOnce { _ = try index.count(self) }
        let news = try newScores.takePosted(from: index, by: self, today: Day(store.wall))
        try store.commit()
        posted = (posted + news).suffix(Limits.newScores)
    }

    /// Results posted by anyone since the last call. They are durable; if nobody calls for long, only the latest are
    /// kept.
    package func takePosted() -> [PostedScore] {
        defer { posted = [] }
        return posted
    }

    /// Whether state in memory would have to be counted again at the next start.
    package var hasUnwritten: Bool { index.hasUnwritten }

    /// Like `ZoneStore.checkGuard`: a copy of the store continues under another key.
    package func checkGuard(_ guardFile: [UInt8]?, place: [UInt8]) throws -> [UInt8] {
        try store.checkGuard(guardFile, place: place, token: context.random.identifier())
    }

    /// Whether a peer has shown that it knows that this member left.
    package var hasTold: Bool { membership.hasTold }

    package var unknownRecords: Int { contents.unknown }

    /// The records that admit this device are here, and so is what the founder wrote with the first ones: a device
    /// that its member's others let in has only its own way at first.
    package var isIn: Bool { membership.ownStanding == .active && roster.title != nil }

    /// The member that wrote most of the rows that are held, and how many; nil if there are none.
    package var greatestWriter: (member: MemberID, records: Int)? {
        var records: [MemberID: Int] = [:]
        for lane in store.vector {
            guard let member = state.keys(of: lane.id, onlyEntered: true).first?.member else { continue }
            records[member, default: 0] += lane.rows
        }
        return records.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
    }

    /// When the group was founded, if this device did that; nil on all others, which do not know.
    package var foundedAt: WallTime? {
        guard state.owner == member, lane == keys.firstLane else { return nil }
        return state.entrance(of: membership.own).flatMap { try? membership.records.arrived($0) }
    }

    /// When this node learned that the owner closed the group; nil while it is open.
    package var closedAt: WallTime? {
        state.shownClose.first.flatMap { try? membership.records.arrived($0.hash) }
    }

    /// Lanes with two records at one place, signed proof that their key was used twice, and the members that they
    /// entered for.
    package var equivocations: [(lane: LaneID, members: [MemberID])] {
        store.vector.filter(\.isForked).map(\.id).sorted().map { lane in
            (lane, state.keys(of: lane, onlyEntered: true).map(\.member))
        }
    }

    // MARK: Pausing

    private static let pauseKey = "pause"

    /// Pauses sync from the next commit on; no effect if it is already paused.
    package func pause(by: String, wall: WallTime) throws {
        guard ownPause == nil else { return }
        let asked = ZonePause(by: by, since: wall)
        try store.put(setting: Self.pauseKey, asked.encoded)
        ownPause = asked
    }

    package func resume() throws {
        guard ownPause != nil else { return }
        try store.put(setting: Self.pauseKey, [])
        ownPause = nil
    }

    func loadPause() throws {
        ownPause = try store.setting(Self.pauseKey).flatMap { try ZonePause(stored: $0) }
    }

    /// The group's own pause, or that of its account.
    package var pause: ZonePause? { ownPause ?? accountPause }
}

/// Lets another device of the same member into a group.
package struct GroupEndorsement: Sendable {
    package let endorser: LaneID
    /// The endorser's signature of `Enter.endorsed`.
    package let signature: [UInt8]
    /// Encoded control records that show that the endorser belongs to the group.
    package let path: [[UInt8]]

    package init(endorser: LaneID, signature: [UInt8], path: [[UInt8]]) {
        (self.endorser, self.signature, self.path) = (endorser, signature, path)
    }
}
