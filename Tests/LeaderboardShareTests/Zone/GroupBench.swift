import ChatTestKit
import Gossip
import Ledger
import NodeCore
import SyncState

@testable import LeaderboardShare

/// A member's device with its store in memory, and the real engine to meet others.
final class GroupBench {
    static let wall = WallTime(milliseconds: 1_750_000_000_000)
    static let hash = [UInt8](repeating: 3, count: 32)
    static let game = GameID(.zero)

    let zone: GroupZone
    let sync: ZoneSync
    let database: Database
    private let number: UInt8
    private let run: UInt64
    /// The time, which passes only as far as this device has work to do.
    private var now = MonotonicTime.zero
    private var outbox: [SessionID: [[UInt8]]] = [:]
    private(set) var closed: [SessionID: CloseReason] = [:]

    static func seed(_ name: String) -> Secret { Secret(bytes: Blake2b.hash32(Array(name.utf8)).bytes) }
    static func key(_ name: String) -> Ed25519.KeyPair { Ed25519.KeyPair(seed: seed(name)) }
    static func person(_ name: String) -> PersonID { PersonID(key(name).publicKey) }
    static func device(_ number: UInt8) -> Secret { Secret(bytes: [UInt8](repeating: number, count: 32)) }
    /// The tag of the lane with which a device joins.
    static func tag(_ number: UInt8) -> Bytes16 { Bytes16(7, UInt64(number)) }

    /// The member as which a device joins.
    static func member(_ name: String, _ number: UInt8) -> MemberID {
        MemberID(
            person: person(name), firstLane: DeviceKeys(deviceSecret: device(number), tag: tag(number)).lane)
    }

    /// The founder of a group with one game.
    convenience init(founder name: String, _ number: UInt8, memberLimit: UInt32 = 500) throws {
        let database = try Database(path: ":memory:")
        let zone = try GroupZone.found(
            title: "Family", person: Self.person(name), database: { _ in database }, deviceSecret: Self.device(number),
            random: SeededRandom(seed: UInt64(number)), wall: Self.wall, memberLimit: memberLimit)
        try zone.enter(Self.game, name: "Wordle", model: .lowerAttempts, maxAttempts: 6)
        try self.init(zone, database, number)
    }

    /// A device of a member that was welcomed.
    convenience init(_ welcome: GroupWelcome, _ number: UInt8) throws {
        let database = try Database(path: ":memory:")
        let zone = try GroupZone.join(
            welcome, database: database, deviceSecret: Self.device(number), random: SeededRandom(seed: UInt64(number)))
        try self.init(zone, database, number)
    }

    /// A device with the group's keys that nobody has let in.
    convenience init(_ keys: GroupKeys, _ number: UInt8) throws {
        let database = try Database(path: ":memory:")
        let zone = try GroupZone(
            database: database, keys: keys, deviceSecret: Self.device(number),
            random: SeededRandom(seed: UInt64(number)))
        try self.init(zone, database, number)
    }

    /// - Parameter run: a number that differs for each start of a device.
    init(_ zone: GroupZone, _ database: Database, _ number: UInt8, run: UInt64 = 0) throws {
        self.zone = zone
        self.database = database
        (self.number, self.run) = (number, run)
        zone.store.setTime(now: .zero, wall: Self.wall)
        var random = SeededRandom(seed: UInt64(number) + 1_000 + run * 256)
        sync = ZoneSync(zone: zone, instance: random.identifier())
        try turn()
    }

    var member: MemberID { zone.member }
    var state: LedgerState { zone.state }
    var key: LaneKey { zone.membership.own }
    /// The number of roots that it holds, including the first.
    var roots: Int { zone.membership.ring.held.count }

    // MARK: Coming in

    static func attempt(
        _ name: String, _ number: UInt8, with token: GroupToken, order: UInt64? = nil
    ) -> JoinAttempt {
        var random: any RandomSource = SeededRandom(seed: order ?? UInt64(number))
        return JoinAttempt(
            PendingJoin(token: token, person: person(name), tag: tag(number), since: wall),
            deviceSecret: device(number), random: &random)
    }

    static func meeting(_ byte: UInt8 = 3) -> RendezvousMeeting {
        RendezvousMeeting(
            handshakeHash: [UInt8](repeating: byte, count: 32), address: SocketAddress(ipv4: 0x0A00_0001, port: 4_000))
    }

    /// Lets somebody knock at this member's door once, and answers.
    @discardableResult
    func open(to attempt: JoinAttempt) throws -> JoinAttempt.State {
        let meeting = Self.meeting()
        guard let knock = attempt.opened(meeting) else { return attempt.state }
        let answer = try zone.door.received(knock, in: meeting)
        try turn()
        if let message = answer.message { _ = try attempt.received(message, in: meeting) }
        return attempt.state
    }

    /// The reason why this member's door does not open; nil if it does.
    func refusal(of name: String, _ number: UInt8, with token: GroupToken) throws -> JoinRefusal? {
        switch try open(to: Self.attempt(name, number, with: token)) {
        case .waiting(let reason): reason
        case .refused(let reason): reason
        case .welcomed: nil
        }
    }

    struct NotWelcome: Error { let state: JoinAttempt.State }

    func welcome(_ name: String, _ number: UInt8, with token: GroupToken) throws -> GroupWelcome {
        let state = try open(to: Self.attempt(name, number, with: token))
        guard case .welcomed(let welcome) = state else { throw NotWelcome(state: state) }
        return welcome
    }

    /// Lets somebody join with a token at this member's door and learn what this member holds.
    func admit(_ name: String, _ number: UInt8, with token: GroupToken) throws -> GroupBench {
        let bench = try GroupBench(welcome(name, number, with: token), number)
        try meet(bench)
        return bench
    }

    /// Lets in another device of this member; false if it was not let in.
    @discardableResult
    func endorse(_ other: GroupBench) throws -> Bool {
        guard let (lane, sealKey) = other.zone.lacking,
            let endorsement = try zone.endorse(lane, sealKey: sealKey)
        else { return false }
        try other.zone.enter(by: endorsement)
        try other.turn()
        return true
    }

    /// Another device of this member, which has met this one.
    func another(_ number: UInt8) throws -> GroupBench {
        let other = try GroupBench(zone.keys, number)
        try endorse(other)
        try meet(other)
        return other
    }

    /// Another device posts results; then the person removes it, which another member learns.
    ///
    /// - Returns: the other member's rows, those of the removed device separately.
    func removedDevice(
        _ number: UInt8, named name: String, after posts: [(score: UInt32, day: Int)], tell other: GroupBench
    ) throws -> (rows: [Record], others: [Record]) {
        let device = try another(number)
        for (score, day) in posts { try device.post(score, day: day) }
        try device.meet(self)
        try zone.roster.remove(device: device.zone.lane, by: Self.key(name))
        try turn()
        try meet(other)
        let all = try other.rows()
        return (all.filter { $0.lane == device.zone.lane }, all.filter { $0.lane != device.zone.lane })
    }

    /// The same home after a restart, in its current state or an earlier one.
    ///
    /// - Parameter random: a number that differs for another copy that also starts afresh.
    func reopened(_ before: [UInt8]? = nil, random: UInt64 = 50) throws -> GroupBench {
        let copy = try Database(snapshot: before ?? database.snapshot())
        let zone = try GroupZone(
            database: copy, keys: zone.keys, deviceSecret: Self.device(number),
            random: SeededRandom(seed: UInt64(number) + random))
        return try GroupBench(zone, copy, number, run: run + 1)
    }

    // MARK: Living

    func turn() throws {
        for _ in 0..<200 {
            try zone.work(now: now)
            try sync.endTurn(now: now)
            // Work due on another day does not count.
            guard let deadline = zone.deadline, deadline - now < .seconds(3_600) else { break }
            now = max(now, deadline)
        }
        for action in sync.takeActions() {
            switch action {
            case .send(let id, let bytes, _): outbox[id, default: []].append(bytes)
            case .close(let id, let reason): closed[id] = reason
            case .dial, .connected, .synced, .news, .note: break
            }
        }
    }

    /// Lets time pass on both clocks.
    func pass(_ time: Duration) throws {
        now = now + time
        zone.store.setTime(now: now, wall: Self.wall + (now - .zero))
        try turn()
    }

    private func take(_ messages: [[UInt8]], on id: SessionID) throws {
        for message in messages { try sync.received(message, on: id, now: now) }
        try turn()
        try sync.produce(on: id, budgetBytes: 65_536)
        try turn()
    }

    /// Lets two devices talk until both are quiet. False if they end up with different sets.
    @discardableResult
    func meet(_ other: GroupBench) throws -> Bool {
        let id = SessionID(7)
        try connect(other, on: id)
        for bench in [self, other] { bench.sync.closed(id, now: bench.now) }
        return isEqual(to: other)
    }

    /// Opens a session with another device, on which they talk until both are quiet.
    func connect(_ other: GroupBench, on id: SessionID) throws {
        for (bench, isInitiator) in [(self, true), (other, false)] {
            bench.closed[id] = nil
            bench.outbox[id] = nil
            bench.sync.opened(id, isInitiator: isInitiator, handshakeHash: Self.hash, now: bench.now)
            try bench.turn()
        }
        try talk(other, on: id)
    }

    func talk(_ other: GroupBench, on id: SessionID) throws {
        for _ in 0..<2_000 {
            let (mine, theirs) = (outbox.removeValue(forKey: id), other.outbox.removeValue(forKey: id))
            if mine == nil, theirs == nil, !sync.isServing(id), !other.sync.isServing(id) { break }
            try other.take(mine ?? [], on: id)
            try take(theirs ?? [], on: id)
        }
    }

    func isEqual(to other: GroupBench) -> Bool {
        zone.store.digest == other.zone.store.digest
            && zone.membership.records.digest == other.zone.membership.records.digest
    }

    @discardableResult
    func post(_ score: UInt32?, day: Int = 20_000) throws -> DailyScore {
        let posted = try zone.post(game: Self.game, day: Day(number: day), score: score, wall: Self.wall)
        try turn()
        return posted
    }

    func points(_ members: [MemberID]) -> [Int] {
        guard let standings = try? zone.standings else { return [] }
        let rows = standings.rows(members, period: .all, today: Day(number: 20_001))
        return members.map { member in rows.first { $0.member == member }.map { Int($0.points) } ?? -1 }
    }

    /// The number of a member's kept results that would count.
    func kept(_ member: MemberID) throws -> Int { try zone.results(of: member).count }

    // MARK: What others hand over

    /// All rows held, in the order of the lanes.
    func rows() throws -> [Record] {
        var all: [Record] = []
        try zone.store.forEachRecord { all.append($0) }
        return all
    }

    var ledger: [LedgerRecord] { zone.membership.records.records }

    /// Takes control records and then rows, as if from a peer. Returns the reasons for which rows were refused.
    @discardableResult
    func take(_ ledger: [LedgerRecord] = [], _ rows: [Record] = []) throws -> Set<RecordRejection> {
        try zone.store.begin()
        _ = try zone.membership.records.take(ledger.map(\.encoded))
        try turn()
        var refused: Set<RecordRejection> = []
        for row in rows {
            do { try zone.store.put(row) } catch let reason as RecordRejection { refused.insert(reason) }
        }
        try turn()
        return refused
    }

    /// Writes a row that its program would not write.
    func force(_ content: GroupRecord) throws {
        try zone.context.put(content)
        try turn()
    }
}
