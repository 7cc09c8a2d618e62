import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// How membership ends: by leaving, a removal, the group's end, or a withdrawn invitation. Each person has a
    /// separate account and folder; they meet on loopback.
    @Suite final class GroupEnds {
        typealias Member = Groups.Member
        struct Group: Decodable {
            var groupId: String
            var title: String
            var state: String
            var memberId: String?
            var sentence: String?
            var deletedAt: Int64?
            var members: Int?
            var scoresFile: String?
        }
        struct Token: Decodable { var token: String }
        struct Joined: Decodable { var state: String }
        struct Score: Decodable {
            var dateInt: Int
            var score: Int?
            var name: String?
        }

        /// A fixture takes its nodes with it when it goes.
        private var fixtures: [Fixture] = []

        private func person(_ name: String) throws -> (Fixture, DrivenNode) {
            let fixture = try Fixture()
            fixtures.append(fixture)
            return (fixture, try fixture.started(name)[0])
        }

        private func invite(_ node: DrivenNode, _ group: String) throws -> String {
            try node.object(Token.self, ["group", "invite", group, "--people", "8"]).token
        }

        private func join(_ node: DrivenNode, _ token: String, _ name: String, account: String? = nil) throws {
            let account = account.map { ["--account", $0] } ?? []
            let joined = try node.object(
                Joined.self, ["group", "join", token, "--name", name, "--wait", "120"] + account)
            #expect(joined.state == "joined")
        }

        /// The members' names; empty if the group is not known yet.
        private func names(_ node: DrivenNode, _ group: String) throws -> [String] {
            guard try groups(node).contains(where: { $0.groupId == group }) else { return [] }
            return try node.objects(Member.self, ["group", "members", group]).map(\.name).sorted()
        }

        private func groups(_ node: DrivenNode, all: Bool = false) throws -> [Group] {
            try node.objects(Group.self, ["group", "list"] + (all ? ["--all"] : []))
        }

        private func areOne(_ nodes: [DrivenNode]) throws -> Bool {
            let all = try nodes.flatMap { try groups($0) }
            return all.count == nodes.count && all.allSatisfy { $0.state == "joined" }
                && Set(all.map(\.memberId)).count == 1
        }

        private func post(_ node: DrivenNode, _ group: String, _ day: Int, _ score: Int) throws {
            try node.run(["score", "post", group, "--game", "Wordle", "--score", "\(score)", "--date", "\(day)"])
        }

        private func stores(_ node: DrivenNode) -> Int {
            FileTree.names(in: node.home + "/zones").count { $0.hasSuffix(".db") }
        }

        private func found(_ node: DrivenNode) throws -> String {
            let id = try node.object(Groups.Created.self, ["group", "create", "Family"]).groupId
            try node.run(["group", "set-name", id, "Anna"])
            try node.run(["game", "add", "Wordle", "--group", id, "--model", "lower-attempts", "--max-attempts", "6"])
            return id
        }

        @Test("A member that left with nobody in reach is off the lists once it meets somebody, also after a restart")
        func leavingIsTold() throws {
            let (anna, founder) = try person("anna")
            let (ben, joiner) = try person("ben")
            let id = try found(founder)
            try join(joiner, try invite(founder, id), "Ben")
            try post(joiner, id, 20_250_101, 3)
            try anna.wait("anna has ben's result") {
                try founder.run(["leaderboard", "day", id, "20250101", "--json"]).contains("Ben")
            }
            founder.stop()
            try joiner.run(["group", "leave", id, "--yes"])
            #expect(try groups(joiner).isEmpty)
            #expect(try groups(joiner, all: true).map(\.state) == ["left"])
            try joiner.kill()
            try joiner.start()
            #expect(try groups(joiner).isEmpty)
            #expect(stores(joiner) == 2)
            try founder.start()
            try anna.wait("ben is off the lists") { try names(founder, id) == ["Anna"] }
            #expect(!(try founder.run(["leaderboard", id, "--period", "all"]).contains("Ben")))
            #expect(try founder.run(["group", "show", id, "--problems", "--json"]).contains(#""voidControls":0"#))
            try ben.wait("ben's store of the group is gone") { stores(joiner) == 1 }
            // Own results stay, even if the person comes back and leaves again.
            #expect(try joiner.objects(Score.self, ["score", "list", id]).map(\.dateInt) == [20_250_101])
            try join(joiner, try invite(founder, id), "Ben")
            try anna.wait("ben is back, with what was there") {
                try founder.run(["leaderboard", id, "--period", "all"]).contains("Ben")
            }
            try post(joiner, id, 20_250_102, 4)
            try joiner.run(["group", "leave", id, "--yes"])
            let left = try joiner.objects(Score.self, ["score", "list", id]).map(\.dateInt)
            // There is one file for each member that he was.
            #expect(left.sorted() == [20_250_101, 20_250_102])
        }

        @Test("Left on one device: the other keeps a readable copy until it is left there too")
        func leavingOnOneOfTwo() throws {
            let (anna, founder) = try person("anna")
            let (ben, laptop) = try person("ben-laptop")
            let phone = try ben.started("ben-phone")[0]
            let id = try found(founder)
            try join(laptop, try invite(founder, id), "Ben")
            try ben.wait("the phone is in") { try names(phone, id) == ["Anna", "Ben"] }
            try post(laptop, id, 20_250_101, 3)
            try ben.wait("the phone has the result") { try phone.run(["score", "list", id]).contains("Wordle") }
            try laptop.run(["group", "leave", id, "--yes"])
            try ben.wait("the phone has heard") { try groups(phone).map(\.state) == ["left"] }
            #expect(try groups(laptop).isEmpty && groups(laptop, all: true).map(\.state) == ["left"])
            #expect(try groups(phone).first?.sentence?.hasPrefix("you left this group on another device") == true)
            try phone.kill()
            try phone.start()
            #expect(try groups(phone).map(\.state) == ["left"] && groups(phone, all: true).count == 1)
            #expect(try phone.objects(Score.self, ["score", "list", id]).map(\.dateInt) == [20_250_101])
            #expect(try phone.attempt(["score", "post", id, "--game", "Wordle", "--score", "1"]).status == .exited(4))
            try anna.wait("ben is off the lists") { try names(founder, id) == ["Anna"] }
            try join(laptop, try invite(founder, id), "Ben")
            try ben.wait("the phone is in again") { try groups(phone).map(\.state) == ["joined"] }
            try laptop.run(["group", "leave", id, "--yes"])
            try ben.wait("the phone has heard again") { try groups(phone).map(\.state) == ["left"] }
            try phone.run(["group", "leave", id, "--yes"])
            #expect(try groups(phone).isEmpty && groups(phone, all: true).map(\.state) == ["left"])
            try ben.wait("both stores are gone") { stores(laptop) == 1 && stores(phone) == 1 }
        }

        @Test("Removed: the node says so in its list and its log; what was there stays readable and goes along")
        func removal() throws {
            let (_, founder) = try person("anna")
            let (ben, joiner) = try person("ben")
            let id = try found(founder)
            try join(joiner, try invite(founder, id), "Ben")
            try post(joiner, id, 20_250_101, 3)
            let holds = { try founder.run(["score", "list", id, "--all", "--json"]).contains("20250101") }
            try ben.wait("anna has it", until: holds)
            joiner.stop()
            // Posted offline and acknowledged, it is unknown to the owner at the removal.
            try post(joiner, id, 20_250_102, 2)
            try founder.run(["group", "remove", id, "Ben", "--yes"])
            try joiner.start()
            try ben.wait("ben is told") { try groups(joiner).map(\.state) == ["removed"] }
            // A removal is not a problem of the group.
            #expect(try founder.run(["group", "show", id, "--problems", "--json"]).contains(#""voidControls":0"#))
            let said = "access to group Family was removed"
            #expect(try groups(joiner).first?.sentence?.hasPrefix(said) == true)
            #expect(joiner.log.contains(said))
            try joiner.kill()
            try joiner.start()
            #expect(try groups(joiner).map(\.state) == ["removed"])
            #expect(try joiner.attempt(["score", "post", id, "--game", "Wordle", "--score", "1"]).status == .exited(4))
            let own = try joiner.objects(Score.self, ["score", "list", id]).map(\.dateInt)
            #expect(own.sorted() == [20_250_101, 20_250_102])
            // The person comes back with a new key, and the old one's results are not lost.
            try join(joiner, try invite(founder, id), "Ben")
            try ben.wait("ben is in again") { try names(founder, id) == ["Anna", "Ben"] }
            let kept = FileTree.names(in: joiner.home + "/left").map { joiner.home + "/left/" + $0 }
            let lines = kept.compactMap { FileTree.read($0) }.map { String(decoding: $0, as: UTF8.self) }
            #expect(lines.count == 1 && [20_250_101, 20_250_102].allSatisfy { lines[0].contains("\($0)") })
        }

        /// The second device's state while its person is removed and comes back, and the device that joins.
        enum Return: String, CaseIterable, CustomTestStringConvertible {
            case bothAwake, secondAsleep, secondJoins, secondJoinsFirstAsleep

            var testDescription: String { rawValue }
        }

        @Test("A removed person with two devices comes back on both, whichever joins", arguments: Return.allCases)
        func removalOfTwoDevices(_ way: Return) throws {
            let (anna, founder) = try person("anna")
            let (ben, laptop) = try person("ben-laptop")
            let phone = try ben.started("ben-phone")[0]
            let id = try found(founder)
            let invitation = try invite(founder, id)
            try join(laptop, invitation, "Ben")
            try ben.wait("the phone is in") { try names(phone, id) == ["Anna", "Ben"] }
            try post(laptop, id, 20_250_101, 3)
            try post(phone, id, 20_250_102, 4)
            let days = { (node: DrivenNode) in
                try node.objects(Score.self, ["score", "list", id]).map(\.dateInt).sorted()
            }
            let told = { try founder.run(["score", "list", id, "--all", "--json"]) }
            try anna.wait("anna has both results") {
                let all = try told()
                return all.contains("20250101") && all.contains("20250102")
            }
            try ben.wait("both devices have them") {
                try [laptop, phone].allSatisfy { try days($0) == [20_250_101, 20_250_102] }
            }
            let (joiner, other) =
                way == .bothAwake || way == .secondAsleep ? (laptop, phone) : (phone, laptop)
            let sleeps = way == .secondAsleep || way == .secondJoinsFirstAsleep
            if sleeps { other.stop() }
            try founder.run(["group", "remove", id, "Ben", "--yes"])
            let awake = sleeps ? [joiner] : [joiner, other]
            try ben.wait("they are told") {
                try awake.allSatisfy { try groups($0).map(\.state) == ["removed"] }
            }
            for node in awake {
                let refused = try node.attempt(["score", "post", id, "--game", "Wordle", "--score", "1"])
                #expect(refused.status == .exited(4))
                #expect(refused.errorOutput.contains("you were removed from this group"))
            }
            // The removal ended the invitation, and the earlier copy is no membership.
            let again = try joiner.attempt(["group", "join", invitation, "--wait", "60"])
            #expect(again.status == .exited(1) && again.errorOutput.contains("was revoked"))
            try join(joiner, try invite(founder, id), "Ben")
            if sleeps { try other.start() }
            try ben.wait("both devices are in as one member") { try areOne([laptop, phone]) }
            try anna.wait("anna sees one ben") { try names(founder, id) == ["Anna", "Ben"] }
            // The scores that the removal kept are still the person's own.
            try ben.wait("both list what was there") {
                try [laptop, phone].allSatisfy { try days($0) == [20_250_101, 20_250_102] }
            }
            try post(other, id, 20_250_103, 2)
            try post(joiner, id, 20_250_104, 5)
            try anna.wait("what either posts is with anna") {
                let all = try told()
                return all.contains("20250103") && all.contains("20250104")
            }
            for node in [joiner, other] {
                try node.kill()
                try node.start()
            }
            try ben.wait("both list all of it") {
                try [laptop, phone].allSatisfy {
                    try days($0) == [20_250_101, 20_250_102, 20_250_103, 20_250_104]
                }
            }
            #expect(try areOne([laptop, phone]))
            #expect([laptop, phone].map { stores($0) } == [2, 2])
            #expect(try names(founder, id) == ["Anna", "Ben"])
        }

        @Test("Let in by an invitation that the owner had withdrawn: said so, and in again with what was written")
        func lapsed() throws {
            let (anna, founder) = try person("anna")
            let (_, friend) = try person("ben")
            let (dee, newcomer) = try person("dee")
            let id = try found(founder)
            let token = try invite(founder, id)
            try join(friend, token, "Ben")
            founder.stop()
            // Ben lets dee in; the owner, who is away, withdraws the invitation without knowing of her.
            try join(newcomer, token, "Dee")
            try post(newcomer, id, 20_250_101, 2)
            for node in [friend, newcomer] { node.stop() }
            for open in try founder.objects(Groups.Open.self, ["group", "invites", id]) {
                try founder.run(["group", "revoke-invite", id, open.inviteId])
            }
            try founder.start()
            try friend.start()
            try anna.wait("ben knows of it") {
                try friend.objects(Groups.Open.self, ["group", "invites", id]).isEmpty
            }
            try newcomer.start()
            try dee.wait("dee is told") { try groups(newcomer).map(\.state) == ["lapsed"] }
            let refused = try newcomer.attempt(["score", "post", id, "--game", "Wordle", "--score", "1"])
            #expect(refused.status == .exited(4))
            #expect(refused.errorOutput.contains("invitation was revoked"))
            try newcomer.kill()
            try newcomer.start()
            #expect(try groups(newcomer).map(\.state) == ["lapsed"])
            try join(newcomer, try invite(founder, id), "Dee")
            try anna.wait("dee is in, with what she had posted") {
                let board = try founder.run(["leaderboard", "day", id, "20250101", "--json"])
                return try names(founder, id) == ["Anna", "Ben", "Dee"] && board.contains("Dee")
            }
        }

        @Test("Deleted: members keep a copy or drop it; devices that were away hear of it, and bring nothing back")
        func deletion() throws {
            let (anna, founder) = try person("anna")
            let phone = try anna.started("anna-phone")[0]
            let (ben, joiner) = try person("ben")
            let (cleo, third) = try person("cleo")
            let id = try found(founder)
            let token = try invite(founder, id)
            try join(joiner, token, "Ben")
            try join(third, token, "Cleo")
            try post(third, id, 20_250_101, 3)
            try anna.wait("all are in, on the phone too") {
                try [founder, phone, joiner].allSatisfy { try names($0, id) == ["Anna", "Ben", "Cleo"] }
            }
            // The owner's other device and a member's are away for months.
            phone.stop()
            third.stop()
            #expect(try founder.attempt(["group", "delete", id, "--keep", "--drop", "--yes"]).status == .exited(2))
            #expect(try joiner.attempt(["group", "delete", id, "--yes"]).status == .exited(4))
            try founder.run(["group", "delete", id, "--drop", "--yes"])
            #expect(try groups(founder).isEmpty)
            try ben.wait("ben sees the end, with its date") {
                try groups(joiner).first.map { $0.state == "deleted" && $0.deletedAt != nil } ?? false
            }
            try anna.wait("the owner's device has dropped it") { stores(founder) == 1 }
            founder.stop()
            // The member learns it from another member's copy.
            try third.start()
            try cleo.wait("cleo sees the end") { try groups(third).map(\.state) == ["deleted"] }
            #expect(try third.attempt(["score", "post", id, "--game", "Wordle", "--score", "1"]).status == .exited(4))
            #expect(try third.run(["leaderboard", "day", id, "20250101"]).contains("Cleo"))
            // The owner's phone learns it from its account.
            try founder.start()
            try phone.start()
            try anna.wait("the phone keeps a copy") { try groups(phone).map(\.state) == ["deleted"] }
            try phone.run(["group", "delete", id, "--drop", "--yes"])
            #expect(try groups(phone).isEmpty)
            #expect(try groups(joiner).map(\.state) == ["deleted"])
            try third.run(["group", "delete", id, "--drop", "--yes"])
            #expect(try groups(third).isEmpty)
            #expect(try groups(third, all: true).map(\.state) == ["deleted"])
            #expect(try third.objects(Score.self, ["score", "list", id]).map(\.dateInt) == [20_250_101])
            let again = try third.attempt(["group", "join", token])
            #expect(again.status == .exited(1))
            #expect(again.errorOutput.contains("closed by its owner"))
        }

        @Test("Two accounts of one node in one group: each its own member, each its own results, also when both leave")
        func twoAccounts() throws {
            let (anna, founder) = try person("anna")
            let id = try found(founder)
            let (both, node) = try person("both")
            try node.run(["account", "create", "--label", "work"])
            let token = try invite(founder, id)
            try join(node, token, "Home", account: "main")
            try join(node, token, "Work", account: "work")
            for (account, day) in [("main", "20250101"), ("work", "20250102")] {
                try node.run([
                    "score", "post", id, "--game", "Wordle", "--score", "3", "--date", day, "--account", account,
                ])
            }
            try anna.wait("the founder sees both, with their results") {
                let all = try founder.run(["score", "list", id, "--all", "--json"])
                return try names(founder, id) == ["Anna", "Home", "Work"] && all.contains("20250101")
                    && all.contains("20250102")
            }
            try both.wait("each of the two sees the other") {
                try ["main", "work"].allSatisfy { account in
                    try node.objects(Score.self, ["score", "list", id, "--all", "--account", account]).count == 2
                }
            }
            for account in ["main", "work"] { try node.run(["group", "leave", id, "--yes", "--account", account]) }
            try anna.wait("both are off the list") { try names(founder, id) == ["Anna"] }
            for (account, day) in [("main", 20_250_101), ("work", 20_250_102)] {
                let own = try node.objects(Score.self, ["score", "list", id, "--account", account])
                #expect(own.map(\.dateInt) == [day])
            }
        }

        @Test("A backup holds what only this device had: results of groups that it is in, and of those it left")
        func backups() throws {
            let (anna, founder) = try person("anna")
            let id = try found(founder)
            try post(founder, id, 20_250_101, 3)
            let old = try founder.object(Groups.Created.self, ["group", "create", "Before"]).groupId
            try founder.run(["game", "add", "Wordle", "--group", old, "--model", "lower-attempts"])
            try post(founder, old, 20_240_101, 4)
            try founder.run(["group", "delete", old, "--drop", "--yes"])
            let backup = anna.folder.file("backup")
            #expect(try founder.run(["backup", backup]).contains("1 group"))
            try founder.kill()
            let restored = anna.adopt("again", home: anna.folder.file("again"))
            try restored.run(["restore", backup])
            try restored.start()
            #expect(try groups(restored).map(\.state) == ["joined"])
            #expect(try restored.objects(Score.self, ["score", "list", id]).map(\.dateInt) == [20_250_101])
            #expect(try restored.objects(Score.self, ["score", "list", old]).map(\.dateInt) == [20_240_101])
            // It continues as another device of the same member, and others accept what it writes.
            try post(restored, id, 20_250_102, 2)
            let (ben, joiner) = try person("ben")
            try join(joiner, try invite(restored, id), "Ben")
            try ben.wait("ben has both results") {
                try joiner.objects(Score.self, ["score", "list", id, "--all"]).map(\.dateInt)
                    == [20_250_101, 20_250_102]
            }
        }
    }
}
