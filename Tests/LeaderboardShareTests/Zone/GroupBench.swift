import Gossip
import NodeCore
import SyncState

@testable import LeaderboardShare

/// A device of a member with its store in memory, and the real engine to meet others with.
final class GroupBench {
    static let wall = WallTime(milliseconds: 1_750_000_000_000)
    static let hash = [UInt8](repeating: 3, count: 32)
    static let game = GameID(.zero)

    let zone: GroupZone
    let sync: ZoneSync
    let database: Database
    private let number: UInt8
    private var outbox: [SessionID: [[UInt8]]] = [:]
    private(set) var closed: [SessionID: CloseReason] = [:]

    static func seed(_ name: String) -> Secret { Secret(bytes: Blake2b.hash32(Array(name.utf8)).bytes) }

    private static func device(_ number: UInt8) -> Secret { Secret(bytes: [UInt8](repeating: number, count: 32)) }

    /// The founder of a group with one game.
    convenience init(founder name: String, _ number: UInt8) throws {
        let database = try Database(path: ":memory:")
        let zone = try GroupZone.found(
            title: "Family", database: { _ in database }, memberSeed: Self.seed(name),
            deviceSecret: Self.device(number),
            random: SeededRandom(seed: UInt64(number)), wall: Self.wall)
        try zone.enter(Self.game, name: "Wordle", model: .lowerAttempts, maxAttempts: 6)
        try self.init(zone, database, number)
    }

    /// Who was welcomed.
    convenience init(_ name: String, _ number: UInt8, _ welcome: GroupWelcome) throws {
        let database = try Database(path: ":memory:")
        let zone = try GroupZone.join(
            welcome, database: database, memberSeed: Self.seed(name), deviceSecret: Self.device(number),
            random: SeededRandom(seed: UInt64(number)))
        try self.init(zone, database, number)
    }

    init(_ zone: GroupZone, _ database: Database, _ number: UInt8) throws {
        self.zone = zone
        self.database = database
        self.number = number
        zone.store.setTime(now: .zero, wall: Self.wall)
        var random = SeededRandom(seed: UInt64(number) + 1_000)
        sync = ZoneSync(zone: zone, instance: random.identifier())
        try turn()
    }

    var member: MemberID { zone.member }
    var state: GroupState { zone.state }

    /// Joins with a token that this member admits.
    func admit(_ name: String, _ number: UInt8, with token: GroupToken) throws -> GroupBench {
        let joiner = MemberID(Ed25519.KeyPair(seed: Self.seed(name)).publicKey)
        let welcome = try zone.admit(token.admission(of: joiner), issuer: token.issuer, wall: Self.wall)
        try turn()
        let bench = try GroupBench(name, number, welcome)
        try meet(bench)
        return bench
    }

    /// The same home after a restart.
    func reopened(_ name: String) throws -> GroupBench {
        let copy = try Database(snapshot: database.snapshot())
        let zone = try GroupZone(
            database: copy, group: zone.zone, first: zone.ring.epochs[0], memberSeed: Self.seed(name),
            deviceSecret: Self.device(number), random: SeededRandom(seed: UInt64(number) + 50))
        return try GroupBench(zone, copy, number)
    }

    func turn() throws {
        repeat {
            try zone.work(now: .zero)
            try sync.endTurn(now: .zero)
        } while zone.deadline != nil
        for action in sync.takeActions() {
            switch action {
            case .send(let id, let bytes, _): outbox[id, default: []].append(bytes)
            case .close(let id, let reason): closed[id] = reason
            case .dial, .connected, .synced, .news, .note: break
            }
        }
    }

    private func take(_ messages: [[UInt8]], on id: SessionID) throws {
        for message in messages { try sync.received(message, on: id, now: .zero) }
        try turn()
        try sync.produce(on: id, budgetBytes: 65_536)
        try turn()
    }

    /// Lets two devices talk until both are quiet. False if they ended up with different sets.
    @discardableResult
    func meet(_ other: GroupBench) throws -> Bool {
        let id = SessionID(7)
        for (bench, isInitiator) in [(self, true), (other, false)] {
            bench.closed[id] = nil
            bench.outbox[id] = nil
            bench.sync.opened(id, isInitiator: isInitiator, handshakeHash: Self.hash, now: .zero)
            try bench.turn()
        }
        for _ in 0..<2_000 {
            let (mine, theirs) = (outbox.removeValue(forKey: id), other.outbox.removeValue(forKey: id))
            if mine == nil, theirs == nil, !sync.isServing(id), !other.sync.isServing(id) { break }
            try other.take(mine ?? [], on: id)
            try take(theirs ?? [], on: id)
        }
        for bench in [self, other] { bench.sync.closed(id, now: .zero) }
        return zone.store.digest == other.zone.store.digest
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

    /// All records held, in the order of the lanes.
    func records() throws -> [Record] {
        var all: [Record] = []
        try zone.store.forEachRecord { all.append($0) }
        return all
    }
}
