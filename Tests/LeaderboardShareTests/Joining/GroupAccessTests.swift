import ChatTestKit
import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Peers of a group", .timeLimit(.minutes(30))) struct GroupAccessTests {
    private let net = GroupNet()
    private let anna: GroupNet.Node
    private let ben: GroupNet.Node
    private let cleo: GroupNet.Node
    private let token: GroupToken
    private let day = Day(number: 20_000)

    init() throws {
        anna = try net.found("anna", 1)
        token = try #require(anna.zone).invitations.invite(people: 8)
        ben = net.add("ben", 2)
        cleo = net.add("cleo", 3)
        net.join(ben, token)
        net.join(cleo, token)
        try net.run(for: .seconds(10))
    }

    @Test("Newcomers of two doors, who know nothing of each other, meet without those")
    func newcomers() throws {
        #expect(net.isEqual([anna, ben, cleo]))
        let (dee, eve) = (net.add("dee", 4), net.add("eve", 5))
        let (one, rest) = try token.split(people: 4)
        net.alone([ben, dee])
        net.join(dee, one)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([ben, dee]) }))
        net.alone([cleo, eve])
        net.join(eve, rest)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([cleo, eve]) }))
        try #require(dee.zone).post(game: GroupBench.game, day: day, score: 2, wall: net.wall)
        net.alone([dee, eve])
        #expect(try net.run(for: .seconds(120), until: { net.isEqual([dee, eve]) }))
        for node in [dee, eve] {
            #expect(node.zone?.state.members.count == 5)
            #expect(try node.zone?.score(of: dee.member, day: day, game: GroupBench.game)?.score == 2)
        }
        // The same goes for a member that was away: none of those it knows is here.
        net.alone([anna, dee])
        #expect(try net.run(for: .seconds(120), until: { net.isEqual([anna, dee]) }))
        #expect(anna.zone?.state.unconfirmed == [])
    }

    @Test("A removed member hears so at once, is met no more, and gets nothing of what comes after")
    func removedWhileThere() throws {
        for day in 0..<40 {
            try #require(ben.zone)
                .post(game: GroupBench.game, day: Day(number: 19_000 + day), score: 3, wall: net.wall)
        }
        #expect(try net.run(for: .seconds(30), until: { net.isEqual([anna, ben, cleo]) }))
        let before = ben.heard.count
        try #require(anna.zone).roster.remove(ben.member)
        try #require(anna.zone).post(game: GroupBench.game, day: day, score: 1, wall: net.wall)
        #expect(try net.run(for: .seconds(5), until: { ben.zone?.access == .removed }))
        try net.run(for: .seconds(300))
        #expect(ben.notes.contains { if case .accessChanged = $0 { true } else { false } })
        // Its sessions ended with that message: no later row reached it.
        let kinds = try ben.heard[before...].map { try Message(decoding: $0) }
        #expect(
            kinds.allSatisfy { message in
                switch message {
                case .page, .rows, .have, .blob, .blobPart, .found: false
                default: true
                }
            })
        #expect(ben.zone?.membership.ring.held.count == 1)
        #expect(try ben.zone?.scoreCount == 40)
        #expect(net.isEqual([anna, cleo]) && anna.zone?.membership.ring.held.count == 2)
        #expect(ben.machine.doors.isEmpty)
        let contacts = net.contacts
        net.alone([ben])
        // After ten minutes it asks whether it is still removed (`GroupAskingTests`).
        try net.run(for: .seconds(240))
        #expect(net.contacts == contacts)
        // The same holds after a restart.
        let zone = try #require(ben.zone)
        let again = try GroupZone(
            database: Database(snapshot: zone.store.database.snapshot()), keys: zone.keys, deviceSecret: ben.device,
            random: SeededRandom(seed: 8))
        #expect(again.access == .removed && again.zoneAccess.isOver)
    }

    @Test("A lane that was away during its removal hears of it from any member, under the root that it knows")
    func removedWhileAway() throws {
        net.alone([anna, cleo])
        try #require(anna.zone).roster.remove(ben.member)
        #expect(
            try net.run(
                for: .seconds(60),
                until: { net.isEqual([anna, cleo]) && cleo.zone?.membership.ring.held.count == 2 }))
        net.alone([ben, cleo])
        #expect(try net.run(for: .seconds(300), until: { ben.zone?.access == .removed }))
        #expect(ben.zone?.membership.ring.held.count == 1)
    }

    @Test("Who removes a member may let its rows go: nobody holds more than one of them then")
    func removedWithItsRows() throws {
        for day in 0..<40 {
            try #require(ben.zone)
                .post(game: GroupBench.game, day: Day(number: 19_000 + day), score: 3, wall: net.wall)
        }
        try #require(cleo.zone).post(game: GroupBench.game, day: day, score: 2, wall: net.wall)
        #expect(try net.run(for: .seconds(30), until: { net.isEqual([anna, ben, cleo]) }))
        let lane = try #require(ben.zone).lane
        #expect(try #require(cleo.zone).store.lane(lane)?.rows ?? 0 >= 40)
        try #require(anna.zone).roster.remove(ben.member, keepsRows: false)
        #expect(try net.run(for: .seconds(30), until: { ben.zone?.access == .removed && net.isEqual([anna, cleo]) }))
        for node in [anna, cleo] {
            let zone = try #require(node.zone)
            #expect(zone.store.lane(lane)?.rows == 1)
            #expect(try zone.score(of: ben.member, day: Day(number: 19_001), game: GroupBench.game) == nil)
            #expect(try zone.score(of: cleo.member, day: day, game: GroupBench.game)?.score == 2)
            #expect(zone.roster.members(withRemoved: true).first { $0.id == ben.member }?.state == .removed)
        }
    }

    @Test("Shown its removal by records that its ledger cannot take, a lane sees itself as the others do")
    func removedAsShown() throws {
        let (annas, bens) = (try #require(anna.zone), try #require(ben.zone))
        try bens.post(game: GroupBench.game, day: day, score: 3, wall: net.wall)
        try bens.commit()
        #expect(try bens.standings.rows([ben.member], period: .all, today: day).first?.played == 1)
        net.alone([anna])
        try annas.roster.suspend(cleo.member)
        try annas.roster.remove(ben.member)
        let why = annas.state.removal(of: bens.membership.own)
        try bens.take(dismissal: why.flatMap(\.encoded))
        try bens.commit()
        #expect(bens.access == .removed && !bens.state.isDismissed(ben.member))
        #expect(!bens.roster.members().contains { $0.id == ben.member })
        #expect(bens.roster.members(withRemoved: true).first { $0.id == ben.member }?.state == .removed)
        #expect(try bens.standings.rows([ben.member], period: .all, today: day).first?.played == 0)
        #expect(try bens.score(of: ben.member, day: day, game: GroupBench.game)?.score == 3)
    }

    @Test("A new device of a removed member that holds no record of the group hears so too")
    func newDeviceOfRemoved() throws {
        let phone = try net.another(7, of: ben)
        phone.isAway = true
        ben.isAway = true
        try #require(anna.zone).roster.remove(ben.member)
        try net.run(for: .seconds(20))
        phone.isAway = false
        #expect(try net.run(for: .seconds(300), until: { phone.zone?.access == .removed }))
        #expect(phone.zone?.membership.ring.held.count == 1)
    }

    @Test("A lane let in by an invitation that was revoked meanwhile lapses, and comes in by another")
    func lapsed() throws {
        let dee = net.add("dee", 4)
        net.alone([ben, dee])
        net.join(dee, token)
        #expect(try net.run(for: .seconds(60), until: { net.isEqual([ben, dee]) }))
        net.alone([anna, cleo])
        let zone = try #require(anna.zone)
        for invitation in zone.invitations.open { try zone.invitations.revoke(invitation.record) }
        try net.run(for: .seconds(60))
        #expect(net.isEqual([anna, cleo]))
        let next = try zone.invitations.invite()
        net.alone([anna, cleo, dee])
        try net.run(for: .seconds(120))
        #expect(anna.zone?.state.members[dee.member] == nil)
        net.join(dee, next)
        #expect(try net.run(for: .seconds(120), until: { net.isEqual([anna, cleo, dee]) }))
    }

    @Test("Only the owner's word convinces")
    func forgedDismissals() throws {
        let zone = try #require(ben.zone)
        func word(by node: GroupNet.Node, of subject: MemberID) throws -> LedgerRecord {
            let other = try #require(node.zone)
            let device = other.store.device
            let end = try #require(other.state.end(of: other.membership.own))
            return LedgerRecord(
                zone: zone.zone, signer: device.signing.publicKey, prev: end,
                act: .word(Word(member: subject, role: .none, revision: 9, keep: .none)), sign: device.signing.sign)
        }
        let (cleos, others) = (try word(by: cleo, of: ben.member), try word(by: anna, of: cleo.member))
        let way = try #require(anna.zone).state.path(of: try #require(anna.zone).membership.own)
        for bytes in [cleos.encoded, others.encoded, [], [1, 2, 3], Array(others.encoded.dropLast())] {
            try zone.take(dismissal: bytes)
            #expect(zone.access == .member)
        }
        try zone.take(dismissal: (way + [try word(by: anna, of: ben.member)]).flatMap(\.encoded))
        #expect(zone.access == .removed)
    }

    @Test("Without a proof of membership a peer is told nothing, whatever root it holds")
    func strangers() throws {
        let known = try #require(anna.zone).keys
        let keys = try #require(
            GroupKeys(
                genesis: known.genesis, root: known.firstRoot.secret, person: GroupBench.person("mallory"),
                firstLane: .zero))
        let mallory = net.add("mallory", 6)
        let zone = try GroupZone(
            database: Database(path: ":memory:"), keys: keys, deviceSecret: mallory.device,
            random: SeededRandom(seed: 6))
        net.serve(zone, on: mallory)
        try net.run(for: .seconds(300))
        #expect(zone.store.recordCount == 0 && zone.state.members.count == 1)
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
