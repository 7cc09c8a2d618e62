import LeaderboardShare
import Ledger
import Node
import NodeCore
import ProcessHarness
import SyncState

/// A group of many members with a year of results: sent to a new member, opened, and queried for standings.
struct BoardRow {
    let options: BenchOptions
    let subject: Subject

    private static let games = 5
    private static let days = 365
    private static let wall = WallTime(milliseconds: 1_750_000_000_000)
    private static let today = Day(wall)

    private static func secret(_ number: Int) -> Secret {
        Secret(bytes: Blake2b.hash32(Array("bench \(number)".utf8)).bytes)
    }

    func measure() throws -> [Figure] {
        let source = try found()
        let tokens = try invite(options.members, to: source)
        let control = Self.control(of: source)
        for number in 1..<max(2, options.members) { try join(number, source, tokens, knowing: control) }
        let newcomer = try welcome(options.members, source, tokens)
        let path = subject.path("board.db")
        var figures = try restore(newcomer, from: source, path)
        let opening = Stopwatch()
        let again = try open(newcomer, path)
        figures.append(Figure("board", "open its store", opening.milliseconds, "ms"))
        let first = Stopwatch()
        _ = try again.standings
        figures.append(Figure("board", "first standings after that", first.milliseconds, "ms"))
        for (name, period, most) in [
            ("today", StandingsPeriod.today, 10.0), ("week", .week, 100), ("month", .month, 100), ("all", .all, 100),
        ] {
            let times = try (0..<5).map { _ in
                let time = Stopwatch()
                let members = again.roster.members().map(\.id)
                let rows = try again.standings.rows(members, period: period, today: Self.today)
                guard rows.count == members.count else { throw BenchError("a member is missing") }
                return time.milliseconds
            }
            figures.append(Figure("board", "standings \(name)", times.max() ?? 0, "ms", goal: .atMost(most)))
        }
        return figures
    }

    // MARK: Setup

    private func found() throws -> GroupZone {
        let zone = try GroupZone.found(
            title: "Bench", person: Self.person(0), database: { _ in try Database(path: subject.path("source.db")) },
            deviceSecret: Self.secret(1_000_000), random: SeededRandom(seed: 1), wall: Self.wall, memberLimit: 4_000)
        zone.store.setTime(now: .zero, wall: Self.wall)
        for game in 0..<Self.games {
            try zone.enter(GameID(name: "game \(game)"), name: "game \(game)", model: .lowerAttempts, maxAttempts: 6)
        }
        try zone.commit()
        return zone
    }

    private static func person(_ number: Int) -> PersonID {
        PersonID(Ed25519.KeyPair(seed: secret(2_000_000 + number)).publicKey)
    }

    /// Invitations for so many people.
    private func invite(_ people: Int, to zone: GroupZone) throws -> [GroupToken] {
        let each = Ledger.Limits.tickets
        let tokens = try stride(from: 0, to: people, by: each).map { start in
            try zone.invitations.invite(people: min(each, people - start))
        }
        try zone.commit()
        return tokens
    }

    /// All control records of a zone.
    private static func control(of zone: GroupZone) -> [[UInt8]] { zone.membership.records.records.map(\.encoded) }

    private struct Newcomer {
        let number: Int
        let welcome: GroupWelcome
    }

    /// A knock at the door, and the answer.
    private func welcome(_ number: Int, _ source: GroupZone, _ tokens: [GroupToken]) throws -> Newcomer {
        let pending = PendingJoin(
            token: tokens[(number - 1) / Ledger.Limits.tickets], person: Self.person(number),
            tag: Bytes16(UInt64(number), 1), since: Self.wall)
        let meeting = RendezvousMeeting(
            handshakeHash: [UInt8](repeating: 5, count: 32), address: SocketAddress(ipv4: 0x7F00_0001, port: 1))
        var random: any RandomSource = SeededRandom(seed: UInt64(number))
        // It shows some of the tickets, of which others may have been used.
        let attempt = JoinAttempt(pending, deviceSecret: Self.secret(1_000_000 + number), random: &random)
        while case .waiting = attempt.state, let knock = attempt.opened(meeting),
            let answer = try source.rendezvous?.received(knock, in: meeting).message
        {
            _ = try attempt.received(answer, in: meeting)
        }
        try source.commit()
        guard case .welcomed(let welcome) = attempt.state else { throw BenchError("a member is not let in") }
        return Newcomer(number: number, welcome: welcome)
    }

    private func open(_ newcomer: Newcomer, _ path: String) throws -> GroupZone {
        let zone = try GroupZone.join(
            newcomer.welcome, database: Database(path: path), deviceSecret: Self.secret(1_000_000 + newcomer.number),
            random: SeededRandom(seed: UInt64(newcomer.number)))
        zone.store.setTime(now: .zero, wall: Self.wall)
        zone.store.signatures.worker = HelperThread.shared
        return zone
    }

    /// A member with its own device, which holds only what it needs of the group, and a year of results.
    private func join(_ number: Int, _ source: GroupZone, _ tokens: [GroupToken], knowing control: [[UInt8]]) throws {
        let zone = try open(try welcome(number, source, tokens), ":memory:")
        _ = try zone.membership.records.take(control)
        try zone.commit()
        guard let owner = source.store.laneNumber(source.lane) else { throw BenchError("the founder wrote nothing") }
        for seq in 1...UInt64(Self.games) {
            for record in try source.store.records(lane: owner, seq: seq) { try zone.store.put(record) }
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
    private func restore(_ newcomer: Newcomer, from source: GroupZone, _ path: String) throws -> [Figure] {
        let zone = try open(newcomer, path)
        let control = Self.control(of: source)
        let taking = Stopwatch()
        _ = try zone.membership.records.take(control)
        try zone.commit()
        let taken = taking.milliseconds
        var records: [Record] = []
        try source.store.forEachRecord { records.append($0) }
        let giving = Stopwatch()
        try give(records, to: zone)
        let seconds = giving.seconds
        guard try zone.standings.daysPlayed == Self.days else { throw BenchError("the standings lack days") }
        try zone.tidy()
        return [
            Figure("board", "\(control.count) control records taken", taken, "ms"),
            Figure(
                "board", "\(records.count) records given, signatures checked", Double(records.count) / seconds,
                "records/s", goal: .atLeast(10_000)),
        ]
    }
}
