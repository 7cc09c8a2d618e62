import Chat
import ChatTestKit
import Gossip
import Ledger
import NodeCore
import NodeDriver
import ProcessHarness
import SampleData
import SyncState
import Testing

/// The thief speaks the protocol himself, with the device's keys.
extension ProcessTests.Accounts.Theft {
    /// Before anybody knows of him, he breaks nothing that the words could not mend, and keeps nobody out; afterwards
    /// nothing is left of him.
    @Test func aThiefWritesForNobodyElseAndKeepsNobodyOut() throws {
        let fixture = try Fixture()
        let talk = Talk(12, conversations: 2)
        let nodes = try fixture.started("laptop", "phone")
        let (laptop, phone) = (nodes[0], nodes[1])
        let conversation = talk.messages[0].conversationID
        try laptop.run(["import", try fixture.file("chat", Array(talk.lines.prefix(10)))])
        try laptop.run(["conversation", "set", conversation, "--title", "Ours"])
        try fixture.waitForAgreement(nodes, messages: 10)
        try fixture.wait("they show the same") { try content(laptop) == content(phone) }
        let before = try content(laptop)
        phone.stop()
        let stolen = WholeDay.nextSecond()
        let home = try StolenHome(of: phone)
        let thief = try home.account
        let port = try #require(laptop.port)

        try replaceRows(of: laptop, as: thief, port, fixture)
        try shutOut(laptop, as: thief, port, fixture)
        try takeTheLastRevision(of: conversation, as: thief, port)
        try fillTheLanes(as: thief, port)
        try announceRoots(as: thief, port, fixture, laptop)
        try letAccompliceIn(70, as: thief, port, fixture, laptop)
        #expect(try content(laptop) == before)

        // The person gets in by the words, and everything continues.
        let tablet = try fixture.started("tablet")[0]
        try laptop.run(["import", try fixture.file("more", talk.lines)])
        try fixture.waitForAgreement([laptop, tablet], messages: 12)
        try tablet.run(["conversation", "set", conversation, "--title", "Ours still"])
        try fixture.wait("the title is everywhere") { try content(laptop).contains { $0.contains("Ours still") } }

        try remove("phone", on: laptop, fixture, since: stolen)
        try fixture.wait("both know it, and show the same") {
            try devices(tablet) == ["laptop", "tablet"] && content(tablet) == content(laptop)
        }
        #expect(try entered(laptop) == 2)
        let after = try content(laptop)
        try comeBack(as: thief, port)
        #expect(try content(laptop) == after && entered(laptop) == 2)
        #expect(try content(laptop).contains { $0.contains("Ours still") })
    }

    private struct Refused: Decodable {
        struct Counts: Decodable { var records = 0 }
        var refused = Counts()
    }

    private struct Lane: Decodable { var state = "" }

    /// The number of devices that belong to the account, including those that never came.
    private func entered(_ node: DrivenNode) throws -> Int {
        try node.objects(Lane.self, ["device", "list"]).count { $0.state == "active" }
    }

    /// Sends rows in another device's lane, at the places of existing ones.
    private func replaceRows(
        of node: DrivenNode, as thief: AccountZone, _ port: UInt16, _ fixture: Fixture
    ) throws {
        let lane = try #require(LaneID(hex: node.status().deviceId))
        let key = StolenKey(thief.membership)
        let forged = try thief.store.records(of: lane).map { row in
            key.row(
                try thief.sealer.open(row), of: lane, seq: row.seq + 1_000, slot: row.slot, kind: row.kind,
                sealedBy: thief.sealer)
        }
        try #require(!forged.isEmpty)
        let peer = try session(as: thief, port)
        peer.send(.rows(forged.map(\.encoded)))
        try fixture.wait("each is refused") {
            try node.object(Refused.self, ["status"]).refused.records == forged.count
        }
    }

    /// Sends a Remove that the person has not signed.
    private func shutOut(_ node: DrivenNode, as thief: AccountZone, _ port: UInt16, _ fixture: Fixture) throws {
        let lane = try #require(LaneID(hex: node.status().deviceId))
        let peer = try session(as: thief, port)
        peer.send(.ledger(isLast: false, [try StolenKey(thief.membership).removal(of: lane).encoded]))
        #expect(peer.isClosed(), "nobody honest passes that on")
        #expect(try !isOut(node))
    }

    /// Writes a title with almost the highest possible revision.
    private func takeTheLastRevision(of conversation: String, as thief: AccountZone, _ port: UInt16) throws {
        var details = ConversationDetails(conversationID: conversation)
        details.title = Revised(
            try ConversationTitle("Mine"), revision: SyncState.Limits.revision, at: WallTime(milliseconds: 0))
        try thief.store.write(
            RecordMeta(number: ConversationDetails.type, fields: details.encoded), slotName: details.slotName,
            kind: .register)
        try thief.commit()
        let written = try #require(thief.store.takeWritten().last)
        let peer = try session(as: thief, port)
        peer.send(.have(since: written.since, record: written.record.encoded))
        try answered(peer)
    }

    /// Sends more lanes than a store has room for.
    private func fillTheLanes(as thief: AccountZone, _ port: UInt16) throws {
        let peer = try session(as: thief, port)
        let meta = RecordMeta(number: 99, fields: [])
        let key = StolenKey(thief.membership)
        let rows = (0..<SyncState.Limits.lanes + 2).map { _ in
            key.row(
                meta, of: LaneID(StolenKey.key().publicKey), seq: 1,
                slot: thief.sealer.slot(named: Array("x".utf8), tag: .zero), kind: .immutable,
                sealedBy: thief.sealer
            ).encoded
        }
        for start in stride(from: 0, to: rows.count, by: 150) {
            peer.send(.rows(Array(rows[start...].prefix(150))))
        }
        #expect(peer.isClosed())
    }

    /// Sends new roots that nobody can have, the last of them with the highest number.
    private func announceRoots(
        as thief: AccountZone, _ port: UInt16, _ fixture: Fixture, _ node: DrivenNode
    ) throws {
        let current = thief.membership.root.rotate
        let tip = Rotate.Tip(rotate: current, sealedRoot: [UInt8](repeating: 3, count: 48))
        let acts = [(thief.membership.state.rotates[current] ?? 0) + 1, Ledger.Limits.rotateNumber].map { number in
            LedgerAct.rotate(
                Rotate(
                    number: number, root: ZoneRoot.commitment(to: StolenKey.secret()),
                    covers: thief.membership.state.covers, tips: [tip]))
        }
        let peer = try session(as: thief, port)
        peer.send(.ledger(isLast: false, try StolenKey(thief.membership).records(of: acts).map(\.encoded)))
        try answered(peer)
    }

    /// Lets in more devices than an account has places for.
    private func letAccompliceIn(
        _ count: Int, as thief: AccountZone, _ port: UInt16, _ fixture: Fixture, _ node: DrivenNode
    ) throws {
        let peer = try session(as: thief, port)
        peer.send(.ledger(isLast: false, try StolenKey(thief.membership).accomplices(count).map(\.encoded)))
        try answered(peer)
    }

    /// When told that he is out, he hands in what he has instead of what the person signed.
    private func comeBack(as thief: AccountZone, _ port: UInt16) throws {
        for _ in 0..<3 {
            let peer = try LyingPeer(as: thief, at: port)
            try peer.sayHello()
            try peer.wait { if case .dismiss = $0 { true } else { false } }
            let key = StolenKey(thief.membership)
            let rest = try key.accomplices(5) + [key.removal(of: thief.lane)]
            peer.send(.ledger(isLast: true, rest.map(\.encoded)))
            #expect(peer.isClosed())
        }
    }

    /// A session that has begun.
    private func session(as thief: AccountZone, _ port: UInt16) throws -> LyingPeer<AccountZone> {
        let peer = try LyingPeer(as: thief, at: port)
        try peer.greet()
        try peer.compare()
        return peer
    }

    /// Waits until the node, which answers in order, has taken everything sent so far.
    private func answered(_ peer: LyingPeer<AccountZone>) throws {
        peer.send(.ping)
        try peer.wait { if case .pong = $0 { true } else { false } }
    }
}
