import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    /// Invitations that let nobody in: the joiner is told why and what to do, and nothing remains of the attempt.
    @Suite final class Invitations {
        typealias Created = Groups.Created
        typealias Listed = Groups.Listed

        /// A fixture takes its nodes with it when it goes.
        private var fixtures: [Fixture] = []

        /// A person with a separate account and folder.
        private func person(_ name: String) throws -> (Fixture, DrivenNode) {
            let fixture = try Fixture()
            fixtures.append(fixture)
            return (fixture, try fixture.started(name)[0])
        }

        private func invite(_ node: DrivenNode, _ group: String, _ options: String...) throws -> String {
            try node.object(Groups.Invite.self, ["group", "invite", group] + options).token
        }

        private func refuses(_ node: DrivenNode, _ token: String, _ reasons: String...) throws {
            let result = try node.attempt(["group", "join", token, "--wait", "120"])
            #expect(result.status == .exited(1))
            for reason in reasons { #expect(result.errorOutput.contains(reason), "\(result.errorOutput)") }
            #expect(try node.run(["group", "list", "--all", "--json"]).isEmpty)
            #expect(FileTree.names(in: node.home + "/zones").count { $0.hasSuffix(".db") } == 1)
        }

        @Test func expiredRevokedOrUsedUp() throws {
            let (anna, founder) = try person("anna")
            let (ben, joiner) = try person("ben")
            let (_, third) = try person("cleo")
            let id = try founder.object(Created.self, ["group", "create", "Family"]).groupId

            let short = try invite(founder, id, "--expires", "1s")
            // It expires by itself.
            try anna.wait("it has expired") {
                try founder.objects(Groups.Open.self, ["group", "invites", id]).isEmpty
            }
            try refuses(joiner, short, "expired", "ask for a new one")

            let revoked = try invite(founder, id)
            for open in try founder.objects(Groups.Open.self, ["group", "invites", id]) {
                try founder.run(["group", "revoke-invite", id, open.inviteId])
            }
            try refuses(joiner, revoked, "revoked", "ask for a new one")

            let one = try invite(founder, id, "--role", "viewer")
            try joiner.run(["group", "join", one, "--wait", "120"])
            let role = try joiner.objects(Listed.self, ["group", "list"]).first?.role
            #expect(role == "viewer")
            try founder.run(["game", "add", "Wordle", "--group", id, "--model", "lower-attempts"])
            try ben.wait("the game is there") { try joiner.run(["game", "list"]).contains("Wordle") }
            // A viewer cannot post.
            let post = try joiner.attempt(["score", "post", id, "--game", "Wordle", "--score", "3"])
            #expect(post.status == .exited(4))
            try refuses(third, one, "used up", "ask for a new one")
            #expect(try joiner.attempt(["group", "join", one]).errorOutput.contains("already"))
        }

        /// Until a member is near, the group is neither here nor unknown.
        @Test func whoWaitsToBeLetInIsToldSo() throws {
            let (_, founder) = try person("anna")
            let (_, joiner) = try person("ben")
            let id = try founder.object(Created.self, ["group", "create", "Family"]).groupId
            let token = try invite(founder, id)
            founder.stop()
            let said = try joiner.run(["group", "join", token, "--wait", "0.2"])
            #expect(said == "Not in Family yet: waiting for a member to come into reach.\n")
            for command in [["leaderboard"], ["group", "show", "Family"]] {
                let refused = try joiner.attempt(command)
                #expect(refused.status == .exited(5))
                #expect(refused.errorOutput.contains("you are not in Family yet: waiting for a member"))
            }
        }

        /// Two tickets are split off; each part lets in its own people, and no more.
        @Test func eachPartOfASplitOneIsUsedUpByItself() throws {
            let (_, founder) = try person("anna")
            let people = try ["ben", "cleo", "dee", "eve"].map { try person($0).1 }
            let id = try founder.object(Created.self, ["group", "create", "Family"]).groupId
            let many = try invite(founder, id, "--people", "3")
            let split = try founder.object(Groups.Split.self, ["group", "split", many, "--people", "2"])
            try people[0].run(["group", "join", split.rest, "--wait", "120"])
            try refuses(people[1], split.rest, "used up")
            for node in [people[1], people[2]] { try node.run(["group", "join", split.token, "--wait", "120"]) }
            try refuses(people[3], many, "used up")
            // A part of an invitation is not an invitation.
            let cut = try people[3].attempt(["group", "join", String(many.dropLast(20))])
            #expect(cut.status == .exited(1) && cut.errorOutput.contains("the end is missing"), "\(cut)")
        }

        /// The owner is away, and what a member shows is proof enough.
        @Test(arguments: [false, true])
        func ofAClosedGroup(hasSuccessor: Bool) throws {
            let (anna, founder) = try person("anna")
            let (ben, member) = try person("ben")
            let (_, late) = try person("cleo")
            let id = try founder.object(Created.self, ["group", "create", "Family"]).groupId
            let token = try invite(founder, id, "--people", "8")
            try member.run(["group", "join", token, "--name", "Ben", "--wait", "120"])
            try anna.wait("the founder knows Ben") {
                try founder.objects(Groups.Member.self, ["group", "members", id]).contains { $0.name == "Ben" }
            }
            var next: String?
            if hasSuccessor {
                next = try member.object(Groups.Successor.self, ["group", "successor", id, "--yes"]).groupId
                try anna.wait("the owner closes it with Ben's") {
                    try founder.attempt(["group", "successor", id, "--of", "Ben", "--yes"]).status.isSuccess
                }
            } else {
                try founder.run(["group", "delete", id, "--yes"])
            }
            try ben.wait("Ben knows of the end") {
                try member.objects(Listed.self, ["group", "list"]).first { $0.groupId == id }?.state == "deleted"
            }
            founder.stop()
            guard let next else {
                try refuses(late, token, "the group was closed", "nobody can join it any more")
                return try knows(member, token, "closed by its owner")
            }
            try refuses(late, token, "replaced by the group \(next.prefix(8))", "ask a member for an invitation")
            try knows(member, token, "replaced by the group \(next.prefix(8))")
            // A member's invitation to the new group lets in.
            try late.run(["group", "join", try invite(member, next), "--wait", "120"])
            #expect(try late.objects(Listed.self, ["group", "list"]).map(\.groupId) == [next])
        }

        /// A member who was there until the end need not ask anybody.
        private func knows(_ member: DrivenNode, _ token: String, _ reason: String) throws {
            let result = try member.attempt(["group", "join", token])
            #expect(result.status == .exited(1) && result.errorOutput.contains(reason), "\(result.errorOutput)")
        }
    }
}
