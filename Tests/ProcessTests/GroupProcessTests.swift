import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// Groups as a user meets them, on one device, with a running node and without.
    @Suite struct Groups {
        struct Created: Decodable { var groupId: String }
        struct Listed: Decodable {
            var groupId: String
            var title: String
            var state: String
            var role: String?
            var paused: Bool?
        }
        struct Member: Decodable {
            var memberId: String
            var name: String
            var role: String
            var state: String
            var me: Bool
        }
        struct Invite: Decodable {
            var token: String
            var role: String
            var expiresAt: Int64?
            var people: Int
        }
        struct Token: Decodable {
            var title: String
            var people: Int
        }
        struct Split: Decodable {
            var token: String
            var people: Int
            var rest: String
            var restPeople: Int
        }
        struct Successor: Decodable {
            var groupId: String
            var closed: Bool
        }
        struct Board: Decodable {
            struct Row: Decodable { var points: Int }
            var rows: [Row]
        }
        struct Open: Decodable {
            var inviteId: String
            var role: String
            var used: Int
        }

        /// A group with a damaged store is still named by its title, and blocks no other.
        @Test func aGroupThatCannotBeOpenedBarsNoOther() throws {
            let fixture = try Fixture()
            let node = try fixture.node("anna")
            let zones = node.home + "/zones"
            let before = Set(FileTree.names(in: zones))
            let rotten = try node.object(Created.self, ["group", "create", "Rotten"]).groupId
            let store = try #require(
                FileTree.names(in: zones).first { $0.hasSuffix(".db") && !before.contains($0) })
            try FileTree.write([UInt8](repeating: 0x5A, count: 50_000), to: zones + "/" + store)
            let title = String(rotten.prefix(1))
            try node.run(["group", "create", title])
            #expect(try node.object(Listed.self, ["group", "show", title]).title == title)
            for name in ["rotten", rotten, String(rotten.prefix(8))] {
                let refused = try node.attempt(["group", "show", name])
                #expect(refused.status == .exited(1) && refused.errorOutput.contains("damaged"), "\(refused)")
            }
            let doctor = try node.attempt(["doctor", "--discovery", "lo"])
            #expect(doctor.status == .exited(1) && doctor.output.contains("group Rotten: "), "\(doctor)")
        }

        /// The inviter chooses a title, which may be the same as that of one's own group.
        @Test func whichOfTwoIsLeftIsAsked() throws {
            let fixture = try Fixture()
            let (node, other) = (try fixture.node("anna"), try fixture.stranger())
            let own = try node.object(Created.self, ["group", "create", "Family"]).groupId
            let theirs = try other.object(Created.self, ["group", "create", "Family"]).groupId
            let token = try other.object(Invite.self, ["group", "invite", "Family"]).token
            try node.run(["group", "join", token])
            let asked = try node.attempt(["group", "leave", "family", "--yes"])
            #expect(asked.status == .exited(2))
            for id in [own, theirs] { #expect(asked.errorOutput.contains(id.prefix(8))) }
            try node.run(["group", "leave", String(theirs.prefix(8)), "--yes"])
            #expect(try node.objects(Listed.self, ["group", "list"]).map(\.groupId) == [own])
            #expect(try node.attempt(["group", "leave", "Family", "--yes"]).status == .exited(4))
        }

        /// A person with a single phone syncs only with the devices of the groups.
        @Test func whoHasOneDeviceHearsOfTheGroups() throws {
            struct Synced: Decodable { var caughtUp: Bool, peers: Int, groupPeers: Int }
            struct Status: Decodable {
                struct Group: Decodable { var title: String, state: String, summary: String, connected: Int }
                var groups: [Group]?
            }
            let fixture = try Fixture()
            let nodes = [try fixture.node("anna"), try fixture.stranger()]
            for node in nodes { try node.start() }
            #expect(try nodes[0].object(Status.self, ["status"]).groups?.isEmpty == true)
            try nodes[0].run(["group", "create", "Family"])
            #expect(try nodes[0].object(Status.self, ["status"]).groups?.map(\.summary) == ["you are its only member"])
            let token = try nodes[0].object(Invite.self, ["group", "invite", "Family"]).token
            try nodes[1].run(["group", "join", token, "--name", "Ben"])
            for node in nodes {
                let synced = try node.object(Synced.self, ["sync", "--wait"])
                #expect(synced.caughtUp && synced.peers == 0 && synced.groupPeers == 1)
                #expect(try node.run(["status"]).contains("\ngroup    Family: up to date with 1 device in reach\n"))
            }
            let reader = try APIClient(nodes[0], scopes: "chat:read").get("/v1/status").json(Status.self)
            #expect(reader.groups == nil)
            let writer = try APIClient(nodes[0], scopes: "groups:write").send("POST", "/v1/sync")
            #expect(writer.status == 200)
            let friend = try APIClient(nodes[0], scopes: "groups:read").get("/v1/status").json(Status.self)
            #expect(friend.groups?.map(\.title) == ["Family"] && friend.groups?.map(\.connected) == [1])

            nodes[1].stop()
            try fixture.wait("nobody is in reach") {
                try nodes[0].run(["status"]).contains("\ngroup    Family: nobody of the group is in reach\n")
            }
            let late = try nodes[0].attempt(["sync", "--wait", "--timeout", "1"])
            #expect(late.status == .exited(6) && late.errorOutput.contains("nobody of your groups is in reach"))
            try nodes[0].run(["group", "pause", "Family"])
            let paused = try nodes[0].attempt(["sync", "--wait"])
            #expect(paused.status == .exited(1) && paused.errorOutput.contains("group resume Family"))
            #expect(try nodes[0].run(["status"]).contains("\ngroup    Family: paused by "))
            let doctor = try nodes[0].attempt(["doctor", "--discovery", "lo"])
            #expect(doctor.output.contains("Family: paused by "))
        }

        @Test(arguments: [false, true])
        func foundingNamingInvitingLeaving(isRunning: Bool) throws {
            let fixture = try Fixture()
            let node = try fixture.node("anna")
            if isRunning { try node.start() }
            let id = try node.object(Created.self, ["group", "create", "Family", "--description", "words"]).groupId
            var listed = try node.objects(Listed.self, ["group", "list"])
            #expect(listed.map(\.title) == ["Family"])
            #expect(listed.first?.role == "owner")
            try node.run(["group", "rename", "family", "The family"])
            #expect(try node.run(["group", "set-name", id, "Anna"]) == "You are Anna in The family.\n")
            let members = try node.objects(Member.self, ["group", "members", String(id.prefix(6))])
            #expect(members.map(\.name) == ["Anna"])
            #expect(members.first?.role == "owner" && members.first?.me == true)
            let invite = try node.object(
                Invite.self, ["group", "invite", id, "--role", "viewer", "--people", "2", "--expires", "12h"])
            #expect(invite.token.hasPrefix("kachat:") && invite.role == "viewer" && invite.people == 2)
            let open = try node.objects(Open.self, ["group", "invites", id])
            #expect(open.map(\.role) == ["viewer"])
            let revoked = try node.run(
                ["group", "revoke-invite", id, String(try #require(open.first).inviteId.prefix(8))])
            #expect(revoked == "The invitation is revoked: nobody can join The family by it any more.\n")
            #expect(try node.objects(Open.self, ["group", "invites", id]).isEmpty)
            try node.run(["group", "pause", id])
            #expect(try node.objects(Listed.self, ["group", "list"]).first?.paused == true)
            try node.run(["group", "resume", id])
            #expect(try node.attempt(["group", "leave", id, "--yes"]).status == .exited(4))
            #expect(try node.attempt(["group", "delete", id]).status == .exited(2))
            if isRunning {
                try node.kill()
                try node.start()
            }
            listed = try node.objects(Listed.self, ["group", "list"])
            #expect(listed.map(\.title) == ["The family"])
            #expect(listed.first?.paused == false)
            try node.run(["group", "delete", id, "--yes"])
            #expect(try node.objects(Listed.self, ["group", "list"]).first?.state == "deleted")
            #expect(try node.attempt(["group", "rename", id, "Again"]).status == .exited(4))
            // Nothing was posted there, so nothing is kept.
            #expect(try !node.run(["group", "leave", id, "--yes"]).contains("results"))
            #expect(try node.objects(Listed.self, ["group", "list"]).isEmpty)
            // It is remembered as deleted for ever.
            #expect(try node.objects(Listed.self, ["group", "list", "--all"]).map(\.state) == ["deleted"])
            #expect(try node.attempt(["group", "show", id]).status == .exited(5))
        }

        @Test("The account's second device is in every group of the first, and keeps its copy until it is left there")
        func theSecondDeviceIsIn() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("laptop", "phone")
            let id = try nodes[0].object(Created.self, ["group", "create", "Family"]).groupId
            try nodes[0].run(["group", "set-name", id, "Anna"])
            try fixture.wait("the phone is in, with the same name") {
                guard let listed = try nodes[1].objects(Listed.self, ["group", "list"]).first else { return false }
                let members = try nodes[1].objects(Member.self, ["group", "members", id])
                return listed.role == "owner" && members.map(\.name) == ["Anna"]
            }
            try nodes[1].run(["group", "rename", id, "From the phone"])
            try fixture.wait("the laptop has the title") {
                try nodes[0].objects(Listed.self, ["group", "list"]).first?.title == "From the phone"
            }
            try nodes[1].run(["group", "delete", id, "--yes"])
            try fixture.wait("the laptop sees the end") {
                try nodes[0].objects(Listed.self, ["group", "list"]).first?.state == "deleted"
            }
            try nodes[0].run(["group", "leave", id, "--yes"])
            #expect(try nodes[0].objects(Listed.self, ["group", "list"]).isEmpty)
            try fixture.wait("the phone has heard") {
                try nodes[1].run(["group", "list", "--all", "--json"]).contains("deleted")
            }
            try nodes[1].run(["group", "leave", id, "--yes"])
            #expect(try nodes[1].objects(Listed.self, ["group", "list"]).isEmpty)
        }

        /// At first it has only its own path into the group, and does not know who else is there.
        @Test func aNewDeviceWaitsForTheRecordsOfItsGroups() throws {
            let fixture = try Fixture()
            let phone = try fixture.node("phone")
            try phone.start()
            try phone.run(["group", "create", "Family"])
            try phone.run(["game", "add", "Wordle", "--model", "lower-attempts", "--max-attempts", "6"])
            let laptop = try fixture.node("laptop")
            try laptop.start()
            try laptop.run(["sync", "--wait"])
            let status = try laptop.run(["status"])
            #expect(status.contains("\ngroup    Family: up to date with 1 device in reach\n"), "\(status)")
            #expect(try laptop.run(["game", "list"]).contains("Wordle"))
        }

        /// Otherwise it would be let in later as somebody else, and the account's devices would leave the first one.
        @Test func aJoinThatWaitsEndsOnceAnotherDeviceIsIn() throws {
            let fixture = try Fixture()
            let (phone, laptop) = (try fixture.node("phone"), try fixture.node("laptop"))
            let anna = try fixture.stranger()
            try anna.run(["group", "create", "Family"])
            let token = try anna.object(Invite.self, ["group", "invite", "Family", "--people", "3"]).token
            try phone.start()
            try phone.run(["group", "join", token, "--name", "Ben", "--wait", "0"])
            #expect(try phone.objects(Listed.self, ["group", "list"]).map(\.state) == ["pending"])
            phone.stop()
            for node in [anna, laptop] { try node.start() }
            try laptop.run(["group", "join", token, "--name", "Ben"])
            anna.stop()
            try phone.start()
            try fixture.wait("the phone is in, and waits no more") {
                try phone.objects(Listed.self, ["group", "list"]).map(\.state) == ["joined"]
            }
            try anna.start()
            try phone.run(["sync", "--wait"])
            try fixture.wait("both are in reach of the other") {
                try anna.run(["status"]).contains("\ngroup    Family: up to date with 2 devices in reach\n")
            }
            #expect(try anna.objects(Member.self, ["group", "members", "Family"]).count == 2)
        }

        @Test func invitationsOffline() throws {
            let fixture = try Fixture()
            let node = try fixture.node("anna")
            let id = try node.object(Created.self, ["group", "create", "Family"]).groupId
            let svg = fixture.folder.file("code.svg")
            let png = fixture.folder.file("code.png")
            let token = try node.object(Invite.self, ["group", "invite", id, "--qr", svg]).token
            #expect(FileTree.read(svg).map { String(decoding: $0.prefix(5), as: UTF8.self) } == "<?xml")
            try node.run(["group", "invite", id, "--qr", png])
            #expect(FileTree.read(png)?.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
            #expect(try node.attempt(["group", "invite", id, "--qr", "code.gif"]).status == .exited(2))
            let written = FileTree.read(png)
            let again = try node.attempt(["group", "invite", id, "--qr", png])
            #expect(again.status == .exited(1) && FileTree.read(png) == written)
            try node.run(["group", "invite", id, "--qr", png, "--force"])
            #expect(FileTree.read(png) != written)
            let shown = try node.object(Token.self, ["group", "inspect", token.uppercased()])
            #expect(shown.title == "Family" && shown.people == 1)
            #expect(token.utf8.count <= 300)
            // Tickets are split off and passed on; a single one cannot be split.
            #expect(try node.attempt(["group", "split", token]).status == .exited(1))
            let many = try node.object(Invite.self, ["group", "invite", id, "--people", "7"]).token
            let split = try node.object(Split.self, ["group", "split", many, "--people", "2"])
            #expect(split.people == 2 && split.restPeople == 5)
            for text in [split.token, split.rest] { #expect(text.utf8.count <= 300) }
            #expect(try node.object(Token.self, ["group", "inspect", split.rest]).people == 5)
            // A typing error is found, with its place.
            var characters = Array(token)
            characters[30] = characters[30] == "a" ? "b" : "a"
            let result = try node.attempt(["group", "inspect", String(characters)])
            #expect(result.status == .exited(1))
            #expect(result.errorOutput.contains("group 2 of"))
        }

        @Test("The group changes hands: Ben founds its successor, Anna closes it with that one, and follows")
        func successor() throws {
            let anna = try Fixture()
            let ben = try Fixture()
            let founder = try anna.started("anna")[0]
            let joiner = try ben.started("ben")[0]
            let id = try founder.object(Created.self, ["group", "create", "Family"]).groupId
            let token = try founder.object(Invite.self, ["group", "invite", id]).token
            try joiner.run(["group", "join", token, "--name", "Ben", "--wait", "120"])
            try anna.wait("the founder knows Ben") {
                try founder.objects(Member.self, ["group", "members", id]).contains { $0.name == "Ben" }
            }
            #expect(try joiner.attempt(["group", "rename", id, "Mine"]).status == .exited(4))
            let game = ["game", "add", "Wordle", "--group", id, "--model", "lower-attempts", "--max-attempts", "6"]
            try founder.run(game)
            let post = ["score", "post", id, "--game", "Wordle", "--score"]
            try ben.wait("the game is there") { try joiner.run(["game", "list"]).contains("Wordle") }
            try joiner.run(post + ["3"])
            try founder.run(post + ["4"])
            let made = try joiner.object(Successor.self, ["group", "successor", id, "--yes"])
            #expect(!made.closed)
            #expect(try founder.attempt(["group", "successor", id, "--of", "nobody", "--yes"]).status == .exited(5))
            try anna.wait("the offer is there") {
                try founder.attempt(["group", "successor", id, "--of", "Ben", "--yes"]).status.isSuccess
            }
            // A member that does not want to wait a day follows at once.
            try founder.run(["group", "follow", id])
            try anna.wait("the founder is in") {
                try founder.objects(Listed.self, ["group", "list"]).contains {
                    $0.groupId == made.groupId && $0.role == "member"
                }
            }
            try ben.wait("the results of today are there again") {
                let board = try joiner.object(Board.self, ["leaderboard", made.groupId, "--period", "all"])
                return board.rows.map(\.points) == [4, 3]
            }
            // The old group stays readable.
            let old = try joiner.object(Board.self, ["leaderboard", id, "--period", "all"])
            #expect(old.rows.map(\.points) == [4, 3])
            #expect(try joiner.attempt(["group", "rename", id, "Ours"]).status == .exited(4))
        }
    }
}
