package import Ledger
package import NodeCore
package import SyncState

/// Which devices belong to the account, and the roots that they share: its ledger, of which each device's lane is a
/// part.
package final class AccountLedger {
    package let records: ZoneLedger
    private let keys: AccountKeys
    private let store: ZoneStore
    private let sealer: RecordSealer
    private let table: RootTable
    private var ring: RootRing
    private var random: any RandomSource
    /// What this device does by itself when it is its turn.
    private var duties = LedgerState.Duties()
    /// The revision of the ledger from which `duties` follow; nil if they must be found again.
    private var judged: UInt64?
    /// When it is this device's turn; nil while nothing is due.
    private var turn: MonotonicTime?
    /// When this device last gave roots out by itself.
    private var sealedAt: MonotonicTime?
    /// Opens what is sealed to the person, on a device that came by the words: until it has met another device and has
    /// the newest root. It cannot sign for the person. Nil from then on.
    package var recovery: X25519.KeyPair?
    /// Devices with an open session.
    var connected: [LaneID] = []
    /// The keys that follow from the ring, as last derived.
    private(set) var placeKeys: PlaceKeys

    init(_ context: AccountContext) throws {
        keys = context.keys
        store = context.store
        sealer = context.sealer
        random = context.random.split()
        records = try ZoneLedger(database: context.database, genesis: context.keys.genesis) {
            [unowned store] in store.wall
        }
        table = try RootTable(database: context.database, first: context.keys.firstRoot)
        ring = RootRing(first: context.keys.firstRoot)
        placeKeys = PlaceKeys(discovery: [ring.first.discovery], session: [ring.first.session])
        try readRoots()
    }

    package var state: LedgerState { records.state }

    /// The account's only member.
    package var member: MemberID { state.owner }

    /// The root under which this device writes, dials and sends beacons.
    package var root: ZoneRoot { sealer.current }

    /// The number of that root: how often the account's roots were replaced.
    package var epoch: UInt64 { state.rotates[root.rotate] ?? 0 }

    package func key(of lane: LaneID) -> LaneKey { LaneKey(lane, of: member) }

    /// This device was removed from the account, or left it.
    package var isOver: Bool {
        switch ownStanding {
        case .removed, .left: true
        case .active, .succeeded, .lapsed, .displaced, .unknown: false
        }
    }

    /// A copy of this device started afresh, and this one still writes the lane that it left.
    package var isSucceeded: Bool { ownStanding == .succeeded }

    /// When this device learned that it was removed.
    package var overSince: WallTime? { state.removal(of: own).first.flatMap { try? records.arrived($0.hash) } }

    /// This device's last record.
    package var end: RecordHash? { state.end(of: own) }

    private var own: LaneKey { key(of: store.device.lane) }

    // MARK: This device

    /// Enters this device's lane, if it has not entered yet.
    func enterIfNew(by entrance: AccountEntrance?) throws {
        guard let entrance, state.standing(of: own) == .unknown else { return }
        switch entrance {
        case .words(let signer): try enterAgain(by: signer)
        case .paired(let device):
            _ = try standing(of: device.endorser, shown: device.path)
            try enter(store.device, by: .lane(device.endorser, device.endorsement))
        }
    }

    /// Lets this device in by the person, whoever let it in before.
    package func enterAgain(by signer: AccountSigner) throws {
        try store.begin()
        try enter(store.device, by: .person(signer.identity.sign(endorsed(store.device))))
    }

    /// Whether this device belongs to the account.
    package var ownStanding: LedgerState.LaneStanding { state.standing(of: own) }

    /// This device goes on in a new lane, which the old one lets in.
    func enter(after old: DeviceKeys) throws {
        guard state.standing(of: key(of: old.lane)) != .unknown else { return }
        let message = endorsed(store.device, succeeds: old.lane)
        try enter(store.device, by: .lane(old.lane, old.signing.sign(message)), succeeds: old.lane)
    }

    private func endorsed(_ device: DeviceKeys, succeeds: LaneID = .zero) -> [UInt8] {
        endorsed(device.lane, sealKey: device.sealing.publicKey, succeeds: succeeds)
    }

    private func endorsed(_ lane: LaneID, sealKey: Bytes32, succeeds: LaneID = .zero) -> [UInt8] {
        Enter.endorsed(
            lane: lane, member: member, isReplica: false, sealKey: sealKey, succeeds: succeeds, zone: keys.zone)
    }

    private func enter(_ device: DeviceKeys, by entrance: Enter.Entrance, succeeds: LaneID = .zero) throws {
        let act = LedgerAct.enter(
            Enter(
                person: keys.identity, firstLane: .zero, sealKey: device.sealing.publicKey, entrance: entrance,
                succeeds: succeeds))
        try take(act, after: .zero, by: device)
    }

    private func take(_ act: LedgerAct, after prev: RecordHash, by device: DeviceKeys) throws {
        _ = try taken(act, after: prev, by: device)
    }

    private func taken(_ act: LedgerAct, after prev: RecordHash, by device: DeviceKeys) throws -> RecordHash {
        let record = LedgerRecord(
            zone: keys.zone, signer: device.signing.publicKey, prev: prev, act: act, sign: device.signing.sign)
        try records.take(own: record)
        return record.hash
    }

    /// Writes a record of this device behind its last one; in a new lane if this one has no room for it.
    private func write(_ act: LedgerAct) throws -> RecordHash? {
        guard state.standing(of: own) == .active else { return nil }
        if state.room(of: own) < 1 { try store.startAfresh(.full) }
        guard let end else { return nil }
        let hash = try taken(act, after: end, by: store.device)
        return state.set.contains(hash) ? hash : nil
    }

    /// Signs what the Enter of a device shows that this one lets in.
    package func endorse(_ lane: LaneID, sealKey: Bytes32) -> [UInt8] {
        store.device.signing.sign(endorsed(lane, sealKey: sealKey))
    }

    // MARK: Roots

    /// Learns roots that the ledger brought, and does for the others what is due.
    func work(now: MonotonicTime) throws {
        if records.isUndated, store.wall.milliseconds > 0 {
            try store.begin()
            try records.dateFirst()
        }
        if judged != records.revision { try judge(now: now) }
        if recovery != nil, !connected.isEmpty, holdsNewest { recovery = nil }
        guard let turn else { return }
        if let next = sealedAt.map({ $0 + Limits.sealPause }), now < next, !duties.rotates {
            self.turn = max(turn, next)
            return
        }
        if turn <= now {
            sealedAt = now
            // What fails now is tried again when the ledger changes.
            self.turn = nil
            if duties.rotates { _ = try makeRoot() }
            try seal(state.duties(of: own, holding: ring).seals)
        } else if !connected.isEmpty, !duties.rotates {
            // Whoever is here need not wait for the others' turns.
            let here = Set(connected.map(\.storage))
            let due = duties.seals.filter { $0.value.contains { here.contains($0.id) } }
            if !due.isEmpty { sealedAt = now }
            try seal(due)
        }
        if judged != records.revision { try judge(now: now) }
    }

    var deadline: MonotonicTime? { judged == records.revision ? turn : .zero }

    private func judge(now: MonotonicTime) throws {
        try keep(ring.learn(from: state, as: own.lane.storage, with: store.device.sealing))
        if let recovery { try keep(ring.learn(from: state, as: keys.identity.storage, with: recovery)) }
        duties = state.duties(of: own, holding: ring)
        judged = records.revision
        if duties.isEmpty {
            turn = nil
        } else if turn == nil {
            let rank = state.standingLanes.firstIndex(of: own) ?? 0
            turn = now + min(Limits.dutyPause * rank, Limits.dutyPauseMost)
        }
    }

    /// Replaces the root. Devices that have none newer follow when they read the ledger.
    ///
    /// - Throws: `AccountError.notAmongDevices`.
    package func rotate() throws {
        guard try makeRoot() else { throw AccountError.notAmongDevices }
    }

    /// - Returns: false if nothing counts that this device would write.
    private func makeRoot() throws -> Bool {
        try store.begin()
        let (secret, rotate) = ring.rotation(in: state, random: &random)
        guard let hash = try write(.rotate(rotate)) else { return false }
        let root = ZoneRoot(rotate: hash, secret: secret)
        ring.add(root)
        try keep([root])
        try seal(state.duties(of: own, holding: ring).seals)
        return true
    }

    private func seal(_ due: [RecordHash: [Seal.Recipient]]) throws {
        for (rotate, recipients) in due.sorted(by: { $0.key < $1.key }) {
            guard let root = ring[rotate] else { continue }
            for start in stride(from: 0, to: recipients.count, by: Ledger.Limits.sealEntries) {
                let part = recipients[start...].prefix(Ledger.Limits.sealEntries)
                let seal = Seal(root, to: part, random: &random)
                // Nobody can be given anything under a key that nobody can hold.
                guard !seal.entries.isEmpty else { continue }
                try store.begin()
                _ = try write(.seal(seal))
            }
        }
    }

    /// The person's removal of these lanes. Their control records that had come here stay, and so do the devices that
    /// they let in by these.
    ///
    /// - Parameter since: what came here from then on does not stay; nil if all does.
    /// - Throws: `AccountError` if it would not count; nothing is taken then.
    func removal(
        of line: [LaneKey], since: WallTime?, stays: [BlobHash], by signer: AccountSigner
    ) throws -> [LedgerRecord] {
        try store.begin()
        // The new root needs room.
        if state.room(of: own) < 1 { try store.startAfresh(.full) }
        let isEarly: (RecordHash) throws -> Bool = { [records] record in
            guard let since, let at = try records.arrived(record) else { return true }
            return at < since
        }
        let names =
            try line.flatMap { try state.ends(of: $0, where: isEarly) }.map(Remove.Name.head)
            + stays.map(Remove.Name.stay)
            + state.children(of: line).filter(isEarly).map(Remove.Name.child)
        var removal: [LedgerRecord] = []
        // What does not fit into one record is said by several, which count together.
        for first in stride(from: 0, to: line.count, by: Ledger.Limits.removedLanes) {
            let lanes = line[first...].prefix(Ledger.Limits.removedLanes).map(\.lane)
            for start in stride(from: 0, to: max(1, names.count), by: Limits.removeNames) {
                let part = names.dropFirst(start).prefix(Limits.removeNames)
                removal.append(signer.record(of: Remove(lanes: lanes, naming: part)))
            }
        }
        let after = records.state(with: removal)
        // Beyond the bound one falls, be it this or an earlier one, whose device would stand again.
        guard removal.map(\.hash).allSatisfy(after.removals.keys.contains),
            state.removals.keys.allSatisfy(after.removals.keys.contains)
        else { throw AccountError.tooManyRemovals }
        guard after.standing(of: own) == .active else { throw AccountError.notAmongDevices }
        return removal
    }

    /// Takes the person's removal, and replaces the root, so that who is removed learns nothing of later.
    func take(_ removal: [LedgerRecord]) throws {
        for record in removal { try records.take(own: record) }
        try rotate()
    }

    /// True if no root of which this device has heard is newer than its own.
    private var holdsNewest: Bool { state.newestRoot(held: Set(state.rotates.keys)) == root.rotate }

    private func keep(_ taken: [ZoneRoot]) throws {
        for root in taken {
            try store.begin()
            try table.put(root)
        }
        useRoots()
    }

    private func readRoots() throws {
        ring = RootRing(first: keys.firstRoot, later: try table.all())
        useRoots()
    }

    /// The newest root seals, and all that are held open. Beacons speak of the newest and of the first, because two
    /// devices that made new roots apart have no other in common.
    private func useRoots() {
        let roots = ring.ordered(in: state)
        sealer.use(roots)
        let newest = roots[0]
        let others = roots.dropFirst().filter { $0 !== ring.first }.prefix(Limits.doorRoots)
        let doors = newest === ring.first ? [ring.first] + others : [newest, ring.first] + others
        let used = PlaceKeys(
            discovery: doors.map(\.discovery), session: doors.map(\.session), spoken: newest === ring.first ? 1 : 2)
        if used != placeKeys { placeKeys = used }
    }

    /// Reads again what a rollback may have undone.
    func reload() throws {
        try records.reload()
        try readRoots()
        (judged, turn, sealedAt) = (nil, nil, nil)
    }

    /// Since when a new root is due, because a removed device has the one that is used here; nil if none is due. The
    /// time is unknown of what came before this device had a clock.
    package var rotationDue: (since: WallTime?, removals: Int)? {
        guard state.isRotationDue(held: ring.held), ownStanding == .active else { return nil }
        let open = Set(state.covers).subtracting(state.covered(by: root.rotate))
        return (open.compactMap { try? records.arrived($0) }.min(), open.count)
    }

    /// How many of 32 endorsements lie between this device and the person.
    package var wayFill: LedgerState.Fill? { state.wayFill(of: own) }

    // MARK: Devices

    package func laneStanding(of lane: LaneID) -> LedgerState.LaneStanding { state.standing(of: key(of: lane)) }

    /// Who let a lane in; nil for one that leads back to nobody, and for one that was removed.
    package func endorser(of lane: LaneID) -> LedgerState.Endorser? { state.endorser(of: key(of: lane)) }

    /// When this device learned that a lane came in; nil for one that leads back to nobody.
    package func enteredAt(_ lane: LaneID) -> WallTime? {
        state.entrance(of: key(of: lane)).flatMap { try? records.arrived($0) }
    }

    /// How a lane came in and when this device learned of it, also of one that does not belong to the account any more.
    package func wayIn(of lane: LaneID) -> (by: LedgerState.Endorser, at: WallTime?)? {
        state.wayIn(of: key(of: lane)).map { ($0.by, try? records.arrived($0.enter)) }
    }

    /// When this device learned that a lane was removed; nil for one that was not, and where that is unknown.
    package func removedAt(_ lane: LaneID) -> WallTime? {
        state.removal(of: key(of: lane)).compactMap { try? records.arrived($0.hash) }.min()
    }

    // MARK: Peers

    /// Judges the device that writes a lane.
    func standing(of lane: LaneID) -> PeerStanding {
        switch state.standing(of: key(of: lane)) {
        // What was succeeded is a copy of a device that started afresh: it learns that here.
        case .active, .succeeded: .proven
        case .removed, .left: .dismissed(Self.encode(state.removal(of: key(of: lane))))
        case .lapsed, .displaced, .unknown: .unknown
        }
    }

    /// Judges it again with what it shows of its way back to the person.
    func standing(of lane: LaneID, shown path: [UInt8]) throws -> PeerStanding {
        guard let shown = Self.decode(path) else { return .wrong }
        try store.begin()
        return try records.take(shown).isForged ? .wrong : standing(of: lane)
    }

    /// Shows others how this device leads back to the person.
    package var path: [UInt8] { Self.encode(state.path(of: own)) }

    /// Takes what shows that this device was removed.
    func take(dismissal: [UInt8]) throws {
        guard let shown = Self.decode(dismissal) else { return }
        try store.begin()
        _ = try records.take(shown)
    }

    private static func encode(_ records: [LedgerRecord]) -> [UInt8] { records.flatMap(\.encoded) }

    private static func decode(_ bytes: [UInt8]) -> [[UInt8]]? {
        var reader = CBORReader(bytes)
        var records: [[UInt8]] = []
        while reader.remaining > 0 {
            guard records.count < Limits.shownRecords, let range = try? reader.skip() else { return nil }
            records.append(reader.copy(range))
        }
        return records
    }
}
