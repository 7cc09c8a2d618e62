import Gossip
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Two devices of an owner", .timeLimit(.minutes(30))) struct GroupMergingTests {
    private let net = GroupNet()
    /// The owner's devices.
    private let one: GroupNet.Node
    private let two: GroupNet.Node
    private let ben: GroupNet.Node
    private let cleo: GroupNet.Node
    private let dee: GroupNet.Node
    private let token: GroupToken

    init() throws {
        one = try net.found("anna", 1)
        token = try #require(one.zone).invite()
        two = net.add("anna", 2)
        let zone = try GroupZone.join(
            try #require(one.zone).welcome, database: Database(path: ":memory:"), memberSeed: two.seed,
            deviceSecret: two.device, random: SeededRandom(seed: 22))
        net.serve(zone, on: two)
        (ben, cleo, dee) = (net.add("ben", 3), net.add("cleo", 4), net.add("dee", 5))
        for node in [ben, cleo, dee] { net.join(node, token) }
        try net.run(for: .seconds(20))
    }

    private var all: [GroupNet.Node] { [one, two, ben, cleo, dee] }

    @Test("Each removes somebody and begins epochs of its own; they meet, and all who remain end under one root")
    func epochs() throws {
        #expect(net.isEqual(all))
        let finn = net.add("finn", 6)
        // Twice on each side, so that the sides have no epoch in common that is spoken under.
        net.alone([one, ben])
        try #require(one.zone).remove(dee.member)
        try net.run(for: .seconds(10))
        try #require(one.zone).rotate()
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([one, ben]) }))
        net.alone([two, cleo])
        try #require(two.zone).rotate()
        try net.run(for: .seconds(10))
        try #require(two.zone).rotate()
        try net.run(for: .seconds(10))
        // Who came in on one side only, too.
        net.alone([two, cleo, finn])
        net.join(finn, try #require(two.zone).invite())
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([two, cleo, finn]) }))
        net.alone([one, two])
        #expect(try net.run(for: .seconds(300), until: { net.isEqual([one, two]) }))
        net.alone([one, two, ben, cleo, finn])
        #expect(try net.run(for: .seconds(600), until: { net.isEqual([one, two, ben, cleo, finn]) }))
        let roots = Set([one, two, ben, cleo, finn].map { $0.zone?.ring.current.record })
        #expect(roots.count == 1)
        let state = try #require(one.zone).state
        #expect(!state.isRootDue && state.removed == [dee.member])
        #expect(state.members.count == 4)
        for node in [one, two, ben, cleo, finn] { #expect(node.zone?.lockedCount == 0) }
    }

    @Test("What one device saw as valid stays, though the other removed its writer without knowing of it")
    func names() throws {
        net.alone([two, ben])
        let day = Day(number: 20_000)
        try #require(ben.zone).post(game: GroupBench.game, day: day, score: 2, wall: net.wall)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([two, ben]) }))
        net.alone([one, cleo])
        try #require(one.zone).remove(ben.member)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([one, cleo]) }))
        net.alone([one, two, cleo])
        #expect(try net.run(for: .seconds(600), until: { net.isEqual([one, two, cleo]) }))
        for node in [one, two, cleo] {
            #expect(try node.zone?.score(of: ben.member, day: day, game: GroupBench.game)?.score == 2)
        }
        // What nobody of them had seen by then is void for ever.
        let late = try DailyScore(
            member: ben.member, day: Day(number: 19_999), game: GroupBench.game, gameName: "Wordle", score: 1,
            updatedAt: net.wall)
        try #require(ben.zone).put(.score(late))
        var rows: [Record] = []
        try #require(ben.zone).store.forEachRecord { rows.append($0) }
        for row in rows { try #require(cleo.zone).store.put(row) }
        try net.run(for: .seconds(60))
        #expect(try cleo.zone?.score(of: ben.member, day: Day(number: 19_999), game: GroupBench.game) == nil)
        #expect(net.isEqual([one, two, cleo]))
    }
}
