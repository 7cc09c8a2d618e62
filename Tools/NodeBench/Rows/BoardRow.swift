import LeaderboardShare
import Node
import NodeCore
import SyncState

/// A group of many members with a year of results: sent to a new member, opened, and queried for standings.
struct BoardRow {
    let options: BenchOptions
    let subject: Subject

    private static let games = 5
    private static let days = 365
    private static let wall = WallTime(milliseconds: 1_750_000_000_000)
    private static let today = Day(wall)
    private static let clock = SystemClock()

    private static func secret(_ number: Int) -> Secret {
        Secret(bytes: Blake2b.hash32(Array("bench \(number)".utf8)).bytes)
    }

    func measure() throws -> [Figure] {
        let source = try found()
        let token = try source.invite()
        try source.commit()
        for number in 1..<max(2, options.members) { try join(number, source, token) }
        let records = source.store.recordCount
        let newcomer = try welcome(options.members, source, token)
        let path = subject.path("board.db")
        let rate = try restore(newcomer, from: source, path)
        var figures = [
            Figure(
                row: "board", what: "\(records) records given, signatures checked", value: rate, unit: "records/s",
                goal: .atLeast(10_000))
        ]
        let started = Self.clock.now()
        let again = try open(newcomer, path)
        figures.append(Figure(row: "board", what: "open its store", value: since(started), unit: "ms"))
        let first = Self.clock.now()
        _ = try again.standings
        figures.append(Figure(row: "board", what: "first standings after that", value: since(first), unit: "ms"))
        for (name, period, most) in [
            ("today", StandingsPeriod.today, 10.0), ("week", .week, 100), ("month", .month, 100), ("all", .all, 100),
        ] {
            let times = try (0..<5).map { _ in
                let before = Self.clock.now()
                let members = again.memberList().map(\.id)
                let rows = try again.standings.rows(members, period: period, today: Self.today)
                guard rows.count == members.count else { throw BenchError("a member is missing") }
                return since(before)
            }
            figures.append(
                Figure(
                    row: "board", what: "standings \(name)", value: times.max() ?? 0, unit: "ms", goal: .atMost(most)))
        }
        return figures
    }

    private func since(_ start: MonotonicTime) -> Double { (Self.clock.now() - start) / .milliseconds(1) }

    // MARK: Setup

    private func found() throws -> GroupZone {
        let zone = try GroupZone.found(
            title: "Bench", database: { _ in try Database(path: subject.path("source.db")) },
            memberSeed: Self.secret(0), deviceSecret: Self.secret(1_000_000), random: SeededRandom(seed: 1),
            wall: Self.wall, memberLimit: 4_000)
        zone.store.setTime(now: .zero, wall: Self.wall)
        for game in 0..<Self.games {
            try zone.enter(GameID(name: "game \(game)"), name: "game \(game)", model: .lowerAttempts, maxAttempts: 6)
        }
        try zone.commit()
        return zone
    }

    private struct Newcomer {
        let number: Int
        let welcome: GroupWelcome
    }

    private func welcome(_ number: Int, _ source: GroupZone, _ token: GroupToken) throws -> Newcomer {
        let member = MemberID(Ed25519.KeyPair(seed: Self.secret(number)).publicKey)
        let welcome = try source.admit(token.admission(of: member), issuer: token.issuer, wall: Self.wall)
        try source.commit()
        return Newcomer(number: number, welcome: welcome)
    }

    private func open(_ newcomer: Newcomer, _ path: String) throws -> GroupZone {
        let zone = try GroupZone.join(
            newcomer.welcome, database: Database(path: path), memberSeed: Self.secret(newcomer.number),
            deviceSecret: Self.secret(1_000_000 + newcomer.number), random: SeededRandom(seed: UInt64(newcomer.number)))
        zone.store.setTime(now: .zero, wall: Self.wall)
        zone.store.signatures.worker = HelperThread.shared
        return zone
    }

    /// A member with its own device, which holds only what it needs of the group, and a year of results.
    private func join(_ number: Int, _ source: GroupZone, _ token: GroupToken) throws {
        let newcomer = try welcome(number, source, token)
        let zone = try open(newcomer, ":memory:")
        let lane = source.store.own
        for seq in Array(1...UInt64(Self.games + 6)) + [lane.head - 1, lane.head] where seq >= 1 {
            guard let place = source.store.laneNumber(lane.id) else { continue }
            for record in try source.store.records(lane: place, seq: seq) { try zone.store.put(record) }
        }
        try zone.commit()
        for day in 0..<Self.days {
            for game in 0..<Self.games {
                try zone.post(
                    game: GameID(name: "game \(game)"), day: Self.today - day,
                    score: UInt32((number * 7 + day * 3 + game) % 6 + 1), wall: Self.wall)
            }
        }
        try zone.commit()
        var rows: [Record] = []
        try zone.store.forEachRecord { if $0.lane == zone.lane { rows.append($0) } }
        try give(rows, to: source)
    }

    private func give(_ records: [Record], to zone: GroupZone) throws {
        zone.store.signatures.worker = HelperThread.shared
        for start in stride(from: 0, to: records.count, by: SyncState.Limits.pageRows) {
            let page = records[start..<min(start + SyncState.Limits.pageRows, records.count)]
            zone.store.signatures.expect(page.map(\.encoded))
            for (index, record) in page.enumerated() {
                try zone.store.put(record)
                if index % 128 == 127 { try zone.commit() }
            }
            try zone.commit()
        }
    }

    /// Transfers pages lane by lane, as in a session but without one: only store and signatures. Closes the store
    /// afterwards.
    private func restore(_ newcomer: Newcomer, from source: GroupZone, _ path: String) throws -> Double {
        let zone = try open(newcomer, path)
        var records: [Record] = []
        try source.store.forEachRecord { records.append($0) }
        let start = Self.clock.now()
        try give(records, to: zone)
        let seconds = since(start) / 1_000
        guard try zone.standings.daysPlayed == Self.days else { throw BenchError("the standings lack days") }
        try zone.tidy()
        return Double(records.count) / seconds
    }
}
