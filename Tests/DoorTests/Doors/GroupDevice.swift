import ChatTestKit
import Gossip
import Ledger
import NodeCore

@testable import LeaderboardShare
@testable import SyncState

/// A member's device for the door `groupStore`.
final class GroupDevice: StoredDevice {
    let database: Database
    private let zone: GroupZone
    private let number: UInt8
    private let life: UInt64
    private var now = MonotonicTime.zero

    private static let game = GameID(Bytes16(1, 1))
    private static let day = Day(number: 20_454)

    private init(_ zone: GroupZone, _ database: Database, _ number: UInt8, life: UInt64 = 0) throws {
        (self.zone, self.database, self.number, self.life) = (zone, database, number, life)
        store.setTime(now: now, wall: .day(0))
        try turn()
    }

    private static func secret(_ number: UInt8) -> Secret { Secret(bytes: [UInt8](repeating: number, count: 32)) }

    static func filled() throws -> (device: GroupDevice, other: GroupDevice) {
        let (database, person) = (try Database(path: ":memory:"), Ed25519.KeyPair(seed: secret(20)).publicKey)
        let anna = try GroupDevice(
            GroupZone.found(
                title: "Family", description: "All of us", person: PersonID(person), database: { _ in database },
                deviceSecret: secret(1), random: SeededRandom(seed: 1), wall: .day(0)), database, 1)
        try anna.zone.enter(game, name: "Wordle", model: .lowerAttempts, maxAttempts: 6)
        try anna.zone.enter(GameID(Bytes16(2, 2)), name: "Sums", model: .higher)
        let token = try anna.zone.invitations.invite(people: 5)
        let (ben, cleo, dan) = (try anna.admit(2, token), try anna.admit(3, token), try anna.admit(4, token))
        for (number, member) in [anna, ben, cleo, dan].enumerated() {
            try member.zone.roster.setName("Name \(number)", wall: .day(0))
            for day in 0..<3 { try member.post(UInt32(2 + number), Self.day + -day) }
            try member.post(1, Self.day)
        }
        for member in [ben, cleo, dan] { try anna.meet(member) }
        try anna.zone.roster.suspend(cleo.zone.member)
        try anna.zone.roster.remove(dan.zone.member)
        try anna.post(3, Self.day + 1)
        try anna.meet(ben)
        try anna.zone.pause(by: "app", wall: .day(0))
        try anna.zone.tidy()
        return (anna, ben)
    }

    private func admit(_ number: UInt8, _ token: GroupToken) throws -> GroupDevice {
        var random: any RandomSource = SeededRandom(seed: UInt64(number))
        let person = Ed25519.KeyPair(seed: Self.secret(20 + number)).publicKey
        let attempt = JoinAttempt(
            PendingJoin(token: token, person: PersonID(person), tag: Bytes16(7, UInt64(number)), since: .day(0)),
            deviceSecret: Self.secret(number), random: &random)
        let meeting = RendezvousMeeting(
            handshakeHash: [UInt8](repeating: number, count: 32),
            address: SocketAddress(ipv4: 0x0A00_0001, port: 4_000))
        guard let knock = attempt.opened(meeting), let door = zone.rendezvous,
            case let answer = try door.received(knock, in: meeting), let message = answer.message
        else { throw NotWelcome() }
        _ = try attempt.received(message, in: meeting)
        guard case .welcomed(let welcome) = attempt.state else { throw NotWelcome() }
        let database = try Database(path: ":memory:")
        let joined = try GroupDevice(
            GroupZone.join(
                welcome, database: database, deviceSecret: Self.secret(number),
                random: SeededRandom(seed: UInt64(number))), database, number)
        try meet(joined)
        return joined
    }

    private struct NotWelcome: Error {}

    static let derived: Set = ["score", "score_member", "score_game", "score_block", "other_row"]

    var store: ZoneStore { zone.store }

    func commit() throws { try zone.commit() }

    func opened(_ database: Database) throws -> GroupDevice {
        let random = SeededRandom(seed: UInt64(number) + (life + 1) << 8)
        return try GroupDevice(
            GroupZone(database: database, keys: zone.keys, deviceSecret: Self.secret(number), random: random),
            database, number, life: life + 1)
    }

    func reopened() throws -> GroupDevice {
        if database.inTransaction { database.rollback() }
        return try opened(Database(snapshot: database.snapshot()))
    }

    private func turn() throws {
        try zone.work(now: now)
        try zone.commit()
    }

    private func post(_ score: UInt32?, _ day: Day) throws {
        try zone.post(game: Self.game, day: day, score: score, wall: .day(0))
        try turn()
    }

    private func meet(_ other: GroupDevice) throws {
        for _ in 0..<2 {
            try take(from: other)
            try other.take(from: self)
        }
    }

    func take(from other: GroupDevice) throws {
        try store.begin()
        _ = try zone.membership.records.take(other.zone.membership.records.records.map(\.encoded))
        try turn()
        try store.takeRows(of: other.store)
        try turn()
    }

    func read() {
        _ = try? zone.standings
        _ = try? zone.voidScores
        _ = zone.catalogue
        for member in zone.roster.members(withRemoved: true) {
            _ = try? zone.results(of: member.id)
            _ = try? zone.score(of: member.id, day: Self.day, game: Self.game)
        }
        _ = zone.foundedAt
        _ = zone.closedAt
        _ = zone.pause
        _ = zone.access
    }

    func write() throws {
        // A lane that its member has to let in anew cannot.
        try? post(4, Self.day + -1)
        try? zone.roster.setName("Anna", wall: .day(1))
        try zone.commit()
        for _ in 0..<4 {
            now += .seconds(20)
            store.setTime(now: now, wall: .day(1))
            try turn()
        }
        now += SyncState.Limits.keptAside
        store.setTime(now: now, wall: .day(8))
        try turn()
        try zone.tidy()
    }

    func fault(beside other: GroupDevice) throws -> String? {
        // The others give back a root that was lost, in their own time, and then the rows under it come.
        let hasRoots = zone.membership.ring.held == other.zone.membership.ring.held
        // One that came back was not here when rows were last taken: a session asks for these again.
        if hasRoots { try take(from: other) }
        for lane in other.store.vector where hasRoots {
            for record in try other.store.records(of: lane.id) where try !store.holds(record) {
                return "a row of \(lane.id) did not come back"
            }
        }
        let names = Set(zone.membership.records.names)
        guard other.zone.membership.records.names.allSatisfy(names.contains) else {
            return "control records did not come back"
        }
        return try faultOfBoard()
    }

    /// The results are those of the rows that are held.
    private func faultOfBoard() throws -> String? {
        var best: [PostedScore: DailyScore] = [:]
        var records: [Record] = []
        try store.forEachRecord { records.append($0) }
        for record in records {
            guard case .score(let score)? = try zone.read(record),
                try zone.accepts(score, record.name, lane: record.lane)
            else { continue }
            let cell = PostedScore(member: score.member, game: score.game, day: score.day)
            if best[cell].map(score.supersedes) ?? true { best[cell] = score }
        }
        let standings = try zone.standings
        for member in Set(best.keys.map(\.member)) {
            let expected = best.filter { $0.key.member == member }
            let results = try zone.results(of: member).map(\.score)
            guard results.map(\.encoded) == expected.sorted(by: { $0.key < $1.key }).map(\.value.encoded) else {
                return "\(results.count) results of a member for \(expected.count)"
            }
            guard try zone.scoreKeys[member] != nil else { continue }
            let rows = standings.rows([member], period: .all, today: Self.day + 8)
            guard rows.map(\.played) == [expected.count] else { return "\(rows) for \(expected.count) results" }
            for score in expected.values {
                let shown = standings.results(on: score.day, [member], game: score.game)
                guard shown.map(\.score) == [score.score],
                    shown.map(\.points) == [zone.catalogue[score.game]?.points(score)]
                else { return "\(shown) for \(score)" }
            }
        }
        return nil
    }
}
