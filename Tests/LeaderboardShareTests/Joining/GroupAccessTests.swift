import Gossip
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Who is talked to", .timeLimit(.minutes(30))) struct GroupAccessTests {
    private let net = GroupNet()
    private let anna: GroupNet.Node
    private let ben: GroupNet.Node
    private let cleo: GroupNet.Node
    private let token: GroupToken

    init() throws {
        anna = try net.found("anna", 1)
        token = try #require(anna.zone).invite()
        ben = net.add("ben", 2)
        cleo = net.add("cleo", 3)
        net.join(ben, token)
        net.join(cleo, token)
        try net.run(for: .seconds(10))
    }

    @Test("Newcomers of two admitters, who know nothing of each other, meet without them")
    func newcomers() throws {
        #expect(net.isEqual([anna, ben, cleo]))
        let (dee, eve) = (net.add("dee", 4), net.add("eve", 5))
        net.alone([ben, dee])
        net.join(dee, token)
        #expect(try net.run(for: .seconds(10), until: { net.isEqual([ben, dee]) }))
        net.alone([cleo, eve])
        net.join(eve, token)
        #expect(try net.run(for: .seconds(10), until: { net.isEqual([cleo, eve]) }))
        try #require(dee.zone).post(game: GroupBench.game, day: Day(number: 20_000), score: 2, wall: net.wall)
        net.alone([dee, eve])
        #expect(try net.run(for: .seconds(120), until: { net.isEqual([dee, eve]) }))
        for node in [dee, eve] {
            #expect(node.zone?.state.members.count == 5)
            #expect(try node.zone?.score(of: dee.member, day: Day(number: 20_000), game: GroupBench.game)?.score == 2)
        }
        // The same of one who comes back from away: nobody of those it knows is here.
        net.alone([anna, dee])
        #expect(try net.run(for: .seconds(120), until: { net.isEqual([anna, dee]) }))
    }

    @Test("A removed member hears so at once, is met no more, and of what comes after it nothing")
    func removedWhileThere() throws {
        for day in 0..<40 {
            try #require(ben.zone)
                .post(game: GroupBench.game, day: Day(number: 19_000 + day), score: 3, wall: net.wall)
        }
        #expect(try net.run(for: .seconds(30), until: { net.isEqual([anna, ben, cleo]) }))
        let before = ben.heard.count
        try #require(anna.zone).remove(ben.member)
        try #require(anna.zone).post(game: GroupBench.game, day: Day(number: 20_000), score: 1, wall: net.wall)
        #expect(try net.run(for: .seconds(5), until: { ben.zone?.access == .removed }))
        try net.run(for: .seconds(600))
        #expect(ben.notes.contains { if case .accessChanged = $0 { true } else { false } })
        // Its sessions ended with that word: no row of the time after reached it.
        let kinds = try ben.heard[before...].map { try Message(decoding: $0) }
        #expect(
            kinds.allSatisfy { message in
                switch message {
                case .page, .rows, .have, .blob, .blobPart, .found: false
                default: true
                }
            })
        #expect(ben.zone?.ring.epochs.count == 1)
        #expect(try ben.zone?.scoreCount == 40)
        #expect(net.isEqual([anna, cleo]))
        #expect(ben.machine.doors.isEmpty)
        let contacts = net.contacts
        net.alone([ben])
        try net.run(for: .seconds(3_600))
        #expect(net.contacts == contacts)
        // The same after a restart.
        let database = try Database(snapshot: try #require(ben.zone).store.database.snapshot())
        let again = try GroupZone(
            database: database, group: token.group, first: try #require(ben.zone).ring.epochs[0], memberSeed: ben.seed,
            deviceSecret: ben.device, random: SeededRandom(seed: 8))
        #expect(again.access == .removed && again.isOver)
    }

    @Test("Who was away while it was removed hears so from any member, under the epoch that it knows")
    func removedWhileAway() throws {
        net.alone([anna, cleo])
        try #require(anna.zone).remove(ben.member)
        #expect(
            try net.run(for: .seconds(60), until: { net.isEqual([anna, cleo]) && cleo.zone?.ring.epochs.count == 2 }))
        net.alone([ben, cleo])
        #expect(try net.run(for: .seconds(120), until: { ben.zone?.access == .removed }))
        #expect(ben.zone?.ring.epochs.count == 1)
    }

    @Test("Who was let in by an invitation that was revoked meanwhile hears so, and comes in by another")
    func lapsed() throws {
        let dee = net.add("dee", 4)
        net.alone([ben, dee])
        net.join(dee, token)
        #expect(try net.run(for: .seconds(10), until: { net.isEqual([ben, dee]) }))
        net.alone([anna, cleo])
        let zone = try #require(anna.zone)
        for invitation in zone.state.openInvitations { try zone.revoke(invitation.hash) }
        try net.run(for: .seconds(60))
        net.alone([cleo, dee])
        #expect(try net.run(for: .seconds(300), until: { dee.zone?.access == .lapsed }))
        let next = try zone.invite()
        net.alone([anna, cleo, dee])
        net.join(dee, next)
        #expect(try net.run(for: .seconds(120), until: { net.isEqual([anna, cleo, dee]) }))
    }

    @Test("Only the owner's removal convinces")
    func forgedDismissals() throws {
        let zone = try #require(ben.zone)
        let cleosKey = Ed25519.KeyPair(seed: cleo.seed)
        let ownership = try #require(zone.state.ownership)
        func dismissal(by key: Ed25519.KeyPair, of subject: MemberID) -> [UInt8] {
            let record = ControlRecord(
                group: token.group, by: MemberID(key.publicKey), under: ownership, claimedAt: net.wall, nonce: 1,
                act: .remove(subject, staying: .empty), sign: key.sign)
            var writer = CBORWriter()
            writer.write(UInt64(1))
            writer.write(bytes: record.encoded)
            return writer.bytes
        }
        let annasKey = Ed25519.KeyPair(seed: anna.seed)
        for bytes in [
            dismissal(by: cleosKey, of: ben.member), dismissal(by: annasKey, of: cleo.member), [], [1, 2, 3],
            Array(dismissal(by: annasKey, of: ben.member).dropLast()),
        ] {
            try zone.take(dismissal: bytes)
            #expect(zone.access == .member)
        }
        try zone.take(dismissal: dismissal(by: annasKey, of: ben.member))
        #expect(zone.access == .removed)
    }

    @Test("Who cannot show that it is a member is told nothing, whatever root it holds")
    func strangers() throws {
        let welcome = try #require(anna.zone).welcome
        let mallory = net.add("mallory", 6)
        let zone = try GroupZone.join(
            welcome, database: Database(path: ":memory:"), memberSeed: mallory.seed, deviceSecret: mallory.device,
            random: SeededRandom(seed: 6))
        net.serve(zone, on: mallory)
        try net.run(for: .seconds(300))
        #expect(zone.store.recordCount == 1)
        #expect(
            try mallory.heard.allSatisfy { bytes in
                switch try Message(decoding: bytes) {
                case .hello, .who, .bye, .vouch: true
                default: false
                }
            })
        #expect(net.isEqual([anna, ben, cleo]))
    }
}
