package import Ledger
package import NodeCore

/// This device's place in a zone: its lane in the ledger, the roots that it holds, and what it does with both for the
/// others.
///
/// Confined to the node's thread; what it writes becomes durable with the store's next commit.
package final class ZoneMembership {
    package let records: ZoneLedger
    /// The member that this device's lanes belong to.
    package let member: MemberID
    private let person: PersonID
    private let firstLane: LaneID
    package let store: ZoneStore
    private let sealer: RecordSealer
    private let table: RootTable
    package private(set) var ring: RootRing
    private var random: any RandomSource
    private var duty = RootDuty()
    /// The state including the records by which a peer showed that this device no longer belongs here; the ledger
    /// cannot take them yet.
    private var dismissed: LedgerState?
    /// Whether a peer has told this device since the start that it no longer belongs here.
    private var wasDismissed = false
    private var end: ZoneEnd?
    /// Until when this device asks whether it belongs here again, and when it asks next.
    private var (asksUntil, asksAt): (MonotonicTime?, MonotonicTime?) = (nil, nil)
    /// Whether the user wants it to ask.
    private var mustAsk = false
    /// Opens what is sealed to the person of an account, on a device that came by the words. It cannot sign for the
    /// person. Nil once the device has met another one and has the newest root.
    package var recovery: X25519.KeyPair?
    /// Until when beacons speak of the first root at all times.
    private var apartUntil: WallTime?
    /// Devices with an open session.
    package var connected: [LaneID] = []
    /// The keys that follow from the ring, as last derived.
    package private(set) var placeKeys: PlaceKeys

    /// - Parameter firstLane: with `person`, names the member; zero in an account.
    package init(
        store: ZoneStore, sealer: RecordSealer, genesis: LedgerRecord, first: ZoneRoot, person: PersonID,
        firstLane: LaneID, random: any RandomSource
    ) throws {
        (self.store, self.sealer, self.random) = (store, sealer, random)
        (self.person, self.firstLane) = (person, firstLane)
        member = MemberID(person: person, firstLane: firstLane)
        records = try ZoneLedger(database: store.database, genesis: genesis) { [unowned store] in store.wall }
        table = try RootTable(database: store.database, first: first)
        ring = RootRing(first: first)
        placeKeys = PlaceKeys(discovery: [first.discovery], session: [first.session])
        try readRoots()
        try readDismissal()
        try readEnd()
    }

    package var state: LedgerState { records.state }

    /// This device's lane, as its member's.
    package var own: LaneKey { key(of: store.device.lane) }

    package func key(of lane: LaneID) -> LaneKey { LaneKey(lane, of: member) }

    package var ownStanding: LedgerState.LaneStanding { state.standing(of: own) }

    /// Whether a copy of this device started afresh, while this one still writes the lane that the copy left.
    package var isSucceeded: Bool { ownStanding == .succeeded }

    /// How many devices of this member were let in, as far as its ledger is here, and how many can belong here.
    package var laneFill: LedgerState.Fill { state.laneFill(of: member) }

    // According to the ledger, or to what a peer has shown.

    /// Whether this device, or its member, no longer belongs here.
    package var isOver: Bool { isGone(own, in: state) || dismissed.map { isGone(own, in: $0) } ?? false }
    /// Whether it no longer belongs here because the lane that let it in was removed, not because it was removed
    /// itself.
    package var hasLapsed: Bool {
        isOver && ![state, dismissed].compactMap(\.self).contains { $0.standing(of: own) == .removed }
    }
    package var isMemberDismissed: Bool { state.isDismissed(member) || dismissed?.isDismissed(member) ?? false }
    package var hasMemberLeft: Bool { state.hasLeft(member) || dismissed?.hasLeft(member) ?? false }

    /// True if this device no longer belongs here and has nothing left to send: a device that leaves tells another one
    /// first.
    package var hasEnded: Bool { isOver && (hasTold || !hasMemberLeft) }

    /// Whether another device has shown that it knows that this one no longer belongs here.
    package var hasTold: Bool { wasDismissed || end?.hasReturned == false }

    /// Whether it is asking the others if it belongs here again.
    package var isAsking: Bool { asksUntil != nil }

    /// Makes it ask on the next turn, however long it would have waited. Has no effect while it belongs here.
    package func askSoon() { mustAsk = isOver }

    /// When this device learned that it no longer belongs here.
    package var overSince: WallTime? { end.flatMap { $0.hasReturned ? nil : $0.since } }

    /// Whether it did not belong here for a while, and does again.
    package var hasReturned: Bool { end?.hasReturned ?? false }

    /// Marks the return as handled.
    package func noteReturn() throws { try keep(end: nil) }

    func isGone(_ key: LaneKey, in state: LedgerState) -> Bool {
        switch state.standing(of: key) {
        case .removed, .left: true
        case .active, .succeeded: false
        // In a group the member's other devices let such a lane in again; in an account only the person does.
        case .lapsed where state.set.isAccount: !state.removal(of: key).isEmpty
        case .lapsed, .displaced, .unknown: state.isDismissed(key.member) || state.hasLeft(key.member)
        }
    }

    /// The root under which this device writes, dials and sends beacons.
    package var root: ZoneRoot { sealer.current }

    // MARK: This device's lane

    /// Lets a lane of this device in.
    @discardableResult
    package func enter(
        _ device: DeviceKeys, by entrance: Enter.Entrance, succeeds: LaneID = .zero
    ) throws -> LedgerRecord {
        let enter = Enter(
            person: person, firstLane: firstLane, sealKey: device.sealing.publicKey, entrance: entrance,
            succeeds: succeeds)
        return try taken(.enter(enter), after: .zero, by: device)
    }

    /// Enters a new lane of this device, which the old one lets in.
    package func enter(after old: DeviceKeys) throws {
        let before = key(of: old.lane)
        guard state.standing(of: before) != .unknown else { return }
        let message = endorsed(store.device.lane, sealKey: store.device.sealing.publicKey, succeeds: old.lane)
        let way = try enter(store.device, by: .lane(old.lane, old.signing.sign(message)), succeeds: old.lane)
        // A device that is shut out does not come back by a fresh start. No ledger keeps such an Enter, so the device
        // has to remember what became of its old lane.
        guard let known = [state, dismissed].compactMap(\.self).first(where: { isGone(before, in: $0) }) else { return }
        try take(dismissal: Self.encode(known.removal(of: before)), entrance: [way.encoded])
    }

    /// A record that lets in a lane of this device's member.
    package func endorsed(_ lane: LaneID, sealKey: Bytes32, succeeds: LaneID = .zero) -> [UInt8] {
        Enter.endorsed(
            lane: lane, member: member, isReplica: false, sealKey: sealKey, succeeds: succeeds, zone: store.zone)
    }

    /// Signs what the Enter of another device of this member shows.
    package func endorse(_ lane: LaneID, sealKey: Bytes32) -> [UInt8] {
        store.device.signing.sign(endorsed(lane, sealKey: sealKey))
    }

    private func taken(_ act: LedgerAct, after prev: RecordHash, by device: DeviceKeys) throws -> LedgerRecord {
        try store.begin()
        let record = LedgerRecord(
            zone: store.zone, signer: device.signing.publicKey, prev: prev, act: act, sign: device.signing.sign)
        try records.take(own: record)
        return record
    }

    /// Writes a record of this device behind its last one; in a new lane if this one has no room for it.
    ///
    /// - Returns: nil if it would not be kept, because this device may not write it or has no place.
    package func write(_ act: LedgerAct) throws -> RecordHash? {
        guard ownStanding == .active else { return nil }
        if state.room(of: own) < 1 { try store.startAfresh(.full) }
        guard let end = state.end(of: own) else { return nil }
        let hash = try taken(act, after: end, by: store.device).hash
        return state.set.contains(hash) ? hash : nil
    }

    // MARK: Roots

    /// Learns roots that the ledger brought, and does for the others what is due.
    package func work(now: MonotonicTime) throws {
        try records.dropRotten(from: store)
        if records.isUndated, store.wall.milliseconds > 0 {
            try store.begin()
            try records.dateFirst()
        }
        if let apartUntil, apartUntil <= store.wall { try useRoots() }
        try judge(now: now)
        try askAgain(now: now)
        if recovery != nil, !connected.isEmpty, holdsNewest { recovery = nil }
        switch duty.step(connected: connected, now: now) {
        case .nothing: return
        case .rotate: _ = try makeRoot()
        case .seal(let due): try seal(due)
        }
        try judge(now: now)
    }

    package var deadline: MonotonicTime? { [duty.deadline(records.revision), asksAt].compactMap(\.self).min() }

    private func judge(now: MonotonicTime) throws {
        guard duty.isStale(records.revision, now: now) else { return }
        try readDismissal()
        try learn()
        // Otherwise a device could split the others by sealing a root to some of them, and junk to the rest.
        if ownStanding == .active, let unopened = ring.unopened(in: state, by: own) { _ = try write(unopened) }
        duty.judge(state, records.revision, as: own, holding: ring, newest: root.rotate, now: now)
    }

    /// Takes the roots that the ledger has sealed to this device, or to the person.
    package func learn() throws {
        try keep(ring.learn(from: state, as: own.lane.storage, with: store.device.sealing))
        if let recovery { try keep(ring.learn(from: state, as: person.storage, with: recovery)) }
    }

    /// True if no root of which this device has heard is newer than its own.
    private var holdsNewest: Bool { state.newestRoot(held: Set(state.rotates.keys)) == root.rotate }

    /// Makes a new root, and gives it to all who stand.
    ///
    /// - Returns: false if nothing that this device would write counts.
    package func makeRoot() throws -> Bool {
        try store.begin()
        let (secret, rotate) = ring.rotation(in: state, random: &random)
        guard let hash = try write(.rotate(rotate)) else { return false }
        let root = ZoneRoot(rotate: hash, secret: secret)
        ring.add(root)
        try keep([root])
        try seal(state.duties(of: own, holding: ring).seals)
        return true
    }

    /// Gives the newest roots to a lane that this device lets in.
    package func seal(to lane: LaneKey) throws {
        try seal(state.seals(by: own, holding: ring) { $0 == lane.lane.storage })
    }

    private func seal(_ due: [RecordHash: [Seal.Recipient]]) throws {
        for (rotate, recipients) in due.sorted(by: { $0.key < $1.key }) {
            guard let root = ring[rotate] else { continue }
            for start in stride(from: 0, to: recipients.count, by: Ledger.Limits.sealEntries) {
                let part = recipients[start...].prefix(Ledger.Limits.sealEntries)
                let seal = Seal(root, to: part, random: &random)
                // Nothing can be sealed under a key that nobody can hold.
                guard !seal.entries.isEmpty else { continue }
                try store.begin()
                _ = try write(.seal(seal))
            }
        }
    }

    private func keep(_ taken: [ZoneRoot]) throws {
        for root in taken {
            try store.begin()
            try table.put(root)
        }
        try useRoots()
    }

    private func readRoots() throws {
        ring = RootRing(first: ring.first, later: try table.all())
        try useRoots()
    }

    /// New records are sealed under the newest root; all held roots open them. Beacons speak of the newest and of the
    /// first, because two devices that made new roots apart have no other in common: at all times for a while after a
    /// rotation, later only for a while after a start or a change of network.
    private func useRoots() throws {
        apartUntil = nil
        let roots = ring.ordered(in: state)
        sealer.use(roots, of: state.rotates.keys)
        let (newest, first) = (roots[0], ring.first)
        let others = roots.dropFirst().filter { $0 !== first }.prefix(Limits.doorRoots)
        let doors = newest === first ? [first] + others : [newest, first] + others
        let spoken = newest === first ? 1 : 2
        if newest !== first {
            let until = (try records.arrived(newest.rotate) ?? store.wall) + Limits.apartTime
            if store.wall < until { apartUntil = until }
        }
        let used = PlaceKeys(
            discovery: doors.map(\.discovery), session: doors.map(\.session), spoken: spoken,
            lasting: apartUntil == nil ? 1 : spoken)
        if used != placeKeys { placeKeys = used }
    }

    /// Reads again what a rollback may have undone.
    package func reload() throws {
        try records.reload()
        try readRoots()
        try readDismissal()
        try readEnd()
        (duty, asksUntil) = (RootDuty(), nil)
    }

    // MARK: The end

    private static let endKey = "end"

    private func readEnd() throws { end = try store.setting(Self.endKey).flatMap { try ZoneEnd(stored: $0) } }

    private func keep(end: ZoneEnd?) throws {
        guard end != self.end else { return }
        try store.put(setting: Self.endKey, end?.encoded ?? [])
        self.end = end
    }

    /// Notes that this device no longer belongs here, or does again, and starts or ends its asking.
    private func askAgain(now: MonotonicTime) throws {
        asksAt = nil
        defer { mustAsk = false }
        guard hasEnded else {
            if !isOver { wasDismissed = false }
            asksUntil = nil
            guard var end else { return }
            end.hasReturned = true
            return try keep(end: end)
        }
        let wall = store.wall
        let before = end.flatMap { $0.hasReturned ? nil : $0 }
        var known = before ?? ZoneEnd(at: wall)
        if let asksUntil, asksUntil <= now { self.asksUntil = nil }
        // A Remove is for ever. But its device may be the only one that knows of another: then it tells it by asking.
        let isRemoved = ownStanding == .removed
        if !isRemoved || state.removals.values.contains(where: { !$0.contains(own.lane) }) {
            let hasLeft = hasMemberLeft
            if known.isDue(hasLeft: hasLeft, at: wall) || isRemoved && before == nil || mustAsk && !hasLeft {
                known.ask(at: wall)
                asksUntil = now + Limits.askTime
            }
            asksAt = asksUntil ?? known.nextAsk(hasLeft: hasLeft).map { now + ($0 - wall) }
        }
        try keep(end: known)
    }

    // MARK: Showing it

    /// The records that show others how this device belongs to the zone.
    package var path: [UInt8] { Self.encode(state.path(of: own)) }

    private static let dismissalKey = "dismissal"

    /// Takes the records that show that this device no longer belongs here. Those that show its way in, while its
    /// ledger does not, are judged with them: a Leave means something only together with what gave the member its role.
    package func take(dismissal: [UInt8], entrance: [[UInt8]] = []) throws {
        guard let shown = Self.decode(dismissal) else { return }
        // It keeps asking until its time is over: the device that answers may have been shut out itself without knowing
        // it.
        defer { wasDismissed = isOver }
        guard !isOver else { return }
        try store.begin()
        _ = try records.take(shown)
        guard !isOver, let assumed = assuming(entrance + shown), isGone(own, in: assumed) else { return }
        try store.put(setting: Self.dismissalKey, entrance.flatMap(\.self) + dismissal)
        dismissed = assumed
    }

    private func readDismissal() throws {
        let stored = try store.setting(Self.dismissalKey) ?? []
        dismissed = stored.isEmpty ? nil : Self.decode(stored, most: 2 * Limits.shownRecords).flatMap(assuming)
    }

    /// The state as if the records that these follow were held; nil if one of these is forged.
    package func assuming(_ shown: [[UInt8]]) -> LedgerState? {
        let records = shown.compactMap { try? LedgerRecord(encoded: $0) }.filter { $0.home == store.zone }
        guard records.count == shown.count else { return nil }
        return LedgerState(state.set.assuming(records))
    }
}
