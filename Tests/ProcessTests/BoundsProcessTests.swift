import Chat
import Gossip
import LeaderboardShare
import Ledger
import NodeCore
import NodeDriver
import ProcessHarness
import SyncState
import TestScale
import Testing

extension ProcessTests {
    /// The bounds on devices and people: reported before it is too late, with what to remove.
    @Suite final class Bounds {
        private struct Status: Decodable {
            struct Problem: Decodable {
                var code = ""
                var what = ""
                var remedy = ""
                var command: String?
            }
            struct Account: Decodable { var problems: [Problem] }
            var accounts: [Account]
        }
        private struct Listed: Decodable {
            var name: String?
            var state = ""
        }

        private func said(_ node: DrivenNode, _ code: String = "manyDevices") throws -> Status.Problem? {
            try node.object(Status.self, ["status"]).accounts[0].problems.first { $0.code == code }
        }

        private func letIn(_ lanes: [LedgerRecord], as zone: some ReplicatedZone, _ node: DrivenNode) throws {
            let peer = try LyingPeer(as: zone, at: try #require(node.port))
            try peer.greet()
            peer.send(.ledger(isLast: false, lanes.map(\.encoded)))
            peer.send(.ping)
            try peer.wait { if case .pong = $0 { true } else { false } }
        }

        /// One of two devices lets in more and more, until half of them have no place.
        @Test func ofAnAccountsDevices() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("laptop", "phone")
            let (laptop, phone) = (nodes[0], nodes[1])
            try fixture.waitForAgreement(nodes, messages: 0)
            phone.stop()
            let lost = WholeDay.nextSecond()
            let home = try StolenHome(of: phone)
            let zone = try home.account
            let lanes = try StolenKey(zone.membership).accomplices(70)
            try letIn(Array(lanes.prefix(45)), as: zone, laptop)
            #expect(try said(laptop) == nil, "47 of 64 leave room")
            try letIn([lanes[45]], as: zone, laptop)
            try fixture.wait("it says so") { try said(laptop) != nil }
            let early = try #require(try said(laptop))
            #expect(early.what.contains("48 of the 64 devices"))
            #expect(early.command?.contains("device remove NAME") == true && early.remedy.contains("longest away: "))
            let doctor = try laptop.attempt(["doctor", "--discovery", "lo"])
            #expect(doctor.output.contains(early.what) && doctor.output.contains("device remove NAME"), "\(doctor)")
            #expect(try laptop.run(["status"]).contains(early.what))
            try letIn(Array(lanes[46...]), as: zone, laptop)
            try fixture.wait("it says that some have no place") {
                try said(laptop)?.what.contains("devices were let in, and only 64 can belong") == true
            }
            // A device that comes in by the words works, whoever else is there.
            let tablet = try fixture.started("tablet")[0]
            try tablet.run(["import", try fixture.file("chat", Talk(10).lines)])
            try fixture.waitForAgreement([laptop, tablet], messages: 10)
            try laptop.run(
                ["device", "remove", "phone", "--since", lost, "--phrase-file", fixture.phraseFile])
            try fixture.wait("with the one that let them in they are gone") {
                try said(laptop) == nil && said(tablet) == nil
            }
            let active = try laptop.objects(Listed.self, ["device", "list"]).filter { $0.state == "active" }
            #expect(Set(active.map(\.name)) == ["laptop", "tablet"])
        }

        /// A member has fewer places in a group than its owner.
        @Test func ofAMembersDevicesInAGroup() throws {
            let people = [try Fixture(), try Fixture()]
            let nodes = try devicesInAGroup(people, ["laptop", "phone"])
            let (laptop, phone) = (nodes[0], nodes[1])
            phone.stop()
            let lost = WholeDay.nextSecond()
            let home = try StolenHome(of: phone)
            let zone = try home.group
            let lanes = try StolenKey(zone.membership).accomplices(10)
            try letIn(Array(lanes.prefix(9)), as: zone, laptop)
            #expect(try said(laptop, "manyDevicesInGroup") == nil, "11 of 16 leave room")
            try letIn([lanes[9]], as: zone, laptop)
            try people[1].wait("it says so") { try said(laptop, "manyDevicesInGroup") != nil }
            let early = try #require(try said(laptop, "manyDevicesInGroup"))
            #expect(early.what.contains("12 of the 16 devices that can belong to group Family"))
            #expect(early.command?.contains("device remove NAME") == true)
            #expect(early.remedy.contains("longest away: phone"))
            try laptop.run(["device", "remove", "phone", "--since", lost, "--phrase-file", people[1].phraseFile])
            try people[1].wait("with the one that let them in they are gone") {
                try said(laptop, "manyDevicesInGroup") == nil
            }
        }

        /// A device without a place says so, and gets the place that a removed device leaves.
        @Test(.enabled(if: TestScale.of(usual: false, proof: true), "seventeen nodes: `make prove`"))
        func ofSeventeenDevicesInAGroup() throws {
            let people = [try Fixture(), try Fixture()]
            let names = (1...16).map { "device\($0)" }
            let nodes = try devicesInAGroup(people, names)
            let last = try people[1].started("last")[0]
            try people[1].wait("it says that it has no place") {
                try said(last, "manyDevicesInGroup")?.what.contains("this device finds no place there") == true
            }
            let waiting = try #require(try group(on: last))
            #expect(waiting.state == "joining" && waiting.sentence.contains("16 of your devices are in the group"))
            #expect(waiting.sentence.contains("device remove NAME"), "\(waiting.sentence)")
            nodes[15].stop()
            try nodes[0].run(["device", "remove", names[15], "--phrase-file", people[1].phraseFile])
            try people[1].wait("it has a place") { try group(on: last)?.state == "joined" }
        }

        /// The second person's devices, all in a group of the first person.
        private func devicesInAGroup(_ people: [Fixture], _ names: [String]) throws -> [DrivenNode] {
            let anna = try people[0].started("anna")[0]
            let id = try anna.object(Groups.Created.self, ["group", "create", "Family"]).groupId
            let token = try anna.object(Groups.Invite.self, ["group", "invite", id]).token
            let nodes = try people[1].started(names[0])
            try nodes[0].run(["group", "join", token, "--name", "Ben", "--wait", "120"])
            return try names.dropFirst().reduce(into: nodes) { nodes, name in
                let node = try people[1].started(name)[0]
                nodes.append(node)
                try people[1].wait("\(name) is in the group") { try group(on: node)?.state == "joined" }
            }
        }

        private struct Joined: Decodable {
            var state = ""
            var sentence = ""
        }

        private func group(on node: DrivenNode) throws -> Joined? {
            try node.objects(Joined.self, ["group", "list"]).first
        }

        /// An admin is told what to revoke.
        @Test func ofAnAdminsInvitations() throws {
            let people = [try Fixture(), try Fixture()]
            let (anna, ben) = (try people[0].started("anna")[0], try people[1].started("ben")[0])
            let id = try anna.object(Groups.Created.self, ["group", "create", "Family"]).groupId
            let token = try anna.object(Groups.Invite.self, ["group", "invite", id]).token
            try ben.run(["group", "join", token, "--name", "Ben", "--wait", "120"])
            try people[0].wait("anna knows ben") { try anna.run(["group", "members", id]).contains("Ben") }
            try anna.run(["group", "set-role", id, "Ben", "admin"])
            try people[1].wait("ben is an admin") {
                try ben.objects(Groups.Listed.self, ["group", "list"]).first?.role == "admin"
            }
            try ben.run(["group", "invite", id, "--people", "64"])
            let refused = try ben.attempt(["group", "invite", id])
            #expect(refused.status != .exited(0) && refused.errorOutput.contains("revoke one first"), "\(refused)")
            let open = try ben.objects(Groups.Open.self, ["group", "invites", id])
            #expect(open.count == 1, "the one that was refused is none")
            try ben.run(["group", "revoke-invite", id, try #require(open.first).inviteId])
            try ben.run(["group", "invite", id])
        }
    }
}
