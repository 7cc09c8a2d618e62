import Chat
import ChatTestKit
import Gossip
import LeaderboardShare
import Ledger
import NodeCore
import NodeDriver
import ProcessHarness
import SyncState
import Testing

extension ProcessTests {
    /// Data written by a later version: kept, reported, and passed on to devices that never met its writer.
    @Suite final class LaterVersions {
        private struct Problem: Decodable { var code = "" }
        private struct Account: Decodable { var problems: [Problem] }
        private struct Status: Decodable { var accounts: [Account] }
        private struct Shown: Decodable {
            struct Problems: Decodable { var unknownRecords = 0 }
            var problems: Problems
        }
        private struct Token: Decodable { var token = "" }

        /// A control record and a row of kinds that this version does not know, and their lane.
        private struct Written {
            let control: LedgerRecord
            let row: Record
            /// All rows written since it was opened.
            let rows: [(since: UInt64, record: Record)]

            init(as membership: ZoneMembership, commit: () throws -> Void) throws {
                let act = LedgerAct.later(kind: 99, fields: [0x81, 0x07])
                control = try #require(try StolenKey(membership).records(of: [act]).last)
                let meta = RecordMeta(number: 99, fields: [1, 2, 3])
                row = try membership.store.write(meta, slotName: "later", kind: .immutable)
                try commit()
                rows = membership.store.takeWritten()
            }

            func isHeld(by membership: ZoneMembership) throws -> Bool {
                let rows = try membership.store.records(of: row.lane)
                return membership.records.records.contains { $0.encoded == control.encoded }
                    && rows.contains { $0.encoded == row.encoded }
            }
        }

        private func give<Zone: ReplicatedZone>(_ written: Written, as zone: Zone, to node: DrivenNode) throws {
            let peer = try LyingPeer(as: zone, at: try #require(node.port))
            try peer.greet()
            peer.send(.ledger(isLast: false, [written.control.encoded]))
            try peer.compare()
            for (since, row) in written.rows { peer.send(.have(since: since, record: row.encoded)) }
            peer.send(.ping)
            try peer.wait { if case .pong = $0 { true } else { false } }
        }

        @Test func inAnAccount() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("laptop", "phone")
            let (laptop, phone) = (nodes[0], nodes[1])
            try fixture.waitForAgreement(nodes, messages: 0)
            phone.stop()
            let home = try StolenHome(of: phone)
            let zone = try home.account
            let written = try Written(as: zone.membership) { try zone.commit() }
            try give(written, as: zone, to: laptop)
            try fixture.wait("it says so") { try saysSo(laptop) }
            let tablet = try fixture.started("tablet")[0]
            try fixture.wait("so does one that met the laptop alone") { try saysSo(tablet) }
            let text = try tablet.run(["status"])
            #expect(text.contains("1 record from a newer version"), "\(text)")
            // The same holds after a restart.
            try tablet.kill()
            try tablet.start()
            #expect(try saysSo(tablet))
            for node in [laptop, tablet] {
                node.stop()
                let opened = try StolenHome(of: node)
                #expect(try written.isHeld(by: opened.account.membership), "\(node.name)")
            }
        }

        private func saysSo(_ node: DrivenNode) throws -> Bool {
            try node.object(Status.self, ["status"]).accounts[0].problems.contains { $0.code == "unknownRecords" }
        }

        @Test func inAGroup() throws {
            let people = [try Fixture(), try Fixture(), try Fixture()]
            let (anna, ben) = (try people[0].started("anna")[0], try people[1].started("ben")[0])
            let id = try anna.object(Groups.Created.self, ["group", "create", "Family"]).groupId
            let token = try anna.object(Token.self, ["group", "invite", id, "--people", "2"]).token
            try ben.run(["group", "join", token, "--name", "Ben", "--wait", "120"])
            try people[0].wait("anna knows ben") { try anna.run(["group", "members", id]).contains("Ben") }
            ben.stop()
            let home = try StolenHome(of: ben)
            let zone = try home.group
            let written = try Written(as: zone.membership) { try zone.commit() }
            try give(written, as: zone, to: anna)
            try people[0].wait("anna says so") { try unknownRecords(anna, id) == 1 }
            let cleo = try people[2].started("cleo")[0]
            try cleo.run(["group", "join", token, "--name", "Cleo", "--wait", "120"])
            try people[2].wait("cleo, who met anna alone, says so") { try unknownRecords(cleo, id) == 1 }
            for node in [anna, cleo] {
                node.stop()
                let opened = try StolenHome(of: node)
                #expect(try written.isHeld(by: opened.group.membership), "\(node.name)")
            }
        }

        private func unknownRecords(_ node: DrivenNode, _ group: String) throws -> Int {
            try node.object(Shown.self, ["group", "show", group, "--problems"]).problems.unknownRecords
        }
    }
}
