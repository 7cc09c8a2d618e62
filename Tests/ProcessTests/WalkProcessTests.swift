import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests {
    /// Two families, acting as they would: each step is a command, whose effect is awaited where it is seen.
    @Suite final class Walks {
        private struct Group: Decodable {
            var groupId = ""
            var title = ""
            var state = ""
            var role: String?
        }
        private struct Token: Decodable { var token = "" }
        private struct Member: Decodable {
            var name = ""
            var state = ""
        }
        private struct Removed: Decodable {
            var groups = 0
            var withdrawnMessages = 0
            var unsortedGroups: [String] = []
        }
        private struct Successor: Decodable {
            var groupId = ""
            var closed = false
        }
        private struct Shown: Decodable { var state = "" }

        private var fixtures: [Fixture] = []

        private func person(_ names: String...) throws -> (Fixture, [DrivenNode]) {
            let fixture = try Fixture()
            fixtures.append(fixture)
            let nodes = try names.map { try fixture.node($0) }
            for node in nodes { try node.start() }
            return (fixture, nodes)
        }

        private func found(_ node: DrivenNode, as name: String, _ title: String = "Family") throws -> String {
            let id = try node.object(Groups.Created.self, ["group", "create", title]).groupId
            try node.run(["group", "set-name", id, name])
            try node.run(["game", "add", "Wordle", "--group", id, "--model", "lower-attempts", "--max-attempts", "6"])
            return id
        }

        private func join(_ node: DrivenNode, _ group: String, of owner: DrivenNode, as name: String) throws {
            let token = try owner.object(Token.self, ["group", "invite", group]).token
            try node.run(["group", "join", token, "--name", name, "--wait", "120"])
        }

        private func post(_ node: DrivenNode, _ group: String, _ score: Int, on day: String? = nil) throws {
            let day = day.map { ["--date", $0] } ?? []
            try node.run(["score", "post", group, "--game", "Wordle", "--score", "\(score)"] + day)
        }

        private func board(_ node: DrivenNode, _ group: String) throws -> String {
            try node.run(["leaderboard", group, "--period", "all", "--json"])
        }

        /// All of the group's results on a device.
        private func results(_ node: DrivenNode, _ group: String) throws -> String {
            try node.run(["score", "list", group, "--all", "--json"])
        }

        private func names(_ node: DrivenNode, _ group: String) throws -> [String] {
            try node.objects(Member.self, ["group", "members", group]).map(\.name).sorted()
        }

        private func groups(_ node: DrivenNode) throws -> [Group] { try node.objects(Group.self, ["group", "list"]) }

        private func content(_ node: DrivenNode) throws -> [String] {
            try node.run(["export", "--state"]).split(separator: "\n").map(String.init).sorted()
        }

        @Test("One loses a phone, is robbed by it, shuts it out, and has all back")
        func theRobbed() throws {
            let talk = Talk(12, conversations: 2)
            let (mum, devices) = try person("laptop", "phone")
            let (laptop, phone) = (devices[0], devices[1])
            let (dad, others) = try person("dad")
            let id = try found(laptop, as: "Mum")
            try join(others[0], id, of: laptop, as: "Dad")
            try post(laptop, id, 3, on: "20250101")
            try post(others[0], id, 4, on: "20250101")
            try laptop.run(["import", try mum.file("chat", Array(talk.lines.prefix(10)))])
            let conversation = talk.messages[0].conversationID
            try laptop.run(["conversation", "set", conversation, "--title", "Ours"])
            try mum.waitForAgreement(devices, messages: 10)
            try mum.wait("the phone is in the group, with all results") {
                try groups(phone).map(\.state) == ["joined"] && board(phone, id) == board(laptop, id)
                    && names(phone, id) == ["Dad", "Mum"]
            }
            try mum.wait("both show the same") { try content(laptop) == content(phone) }
            let (before, scores, his) = (try content(laptop), try board(laptop, id), try board(others[0], id))

            let stolen = WholeDay.nextSecond()
            try phone.run(["message", "delete", talk.messages[0].txidHex, "--yes"])
            try phone.run(["conversation", "set", conversation, "--title", "Mine", "--archived", "on"])
            for each in Set(talk.messages.map(\.conversationID)) { try phone.run(["read", "mark", each]) }
            try phone.run(["device", "rename", "fool", "--device", "laptop"])
            try phone.run(["import", try mum.file("lies", Array(talk.lines.suffix(2)))])
            try post(phone, id, 1, on: "20250102")
            try phone.run(["group", "rename", id, "Mine"])
            try phone.run(["background"])
            try dad.wait("dad sees what it did") {
                try groups(others[0]).map(\.title) == ["Mine"] && board(others[0], id) != his
            }
            try mum.wait("and so does the laptop") { try content(laptop) != before && laptop.messageCount() == 11 }
            try phone.run(["foreground"])

            let removed = try laptop.object(
                Removed.self, ["device", "remove", "phone", "--since", stolen, "--phrase-file", mum.phraseFile])
            #expect(removed.groups == 1 && removed.withdrawnMessages > 0)
            try mum.wait("all is as it was") { try content(laptop) == before && board(laptop, id) == scores }
            try dad.wait("in the group, too") {
                try groups(others[0]).map(\.title) == ["Family"] && board(others[0], id) == his
            }
            try mum.wait("the phone knows it") {
                try phone.object(Shown.self, ["account", "show"]).state == "removed"
                    && groups(phone).map(\.state) == ["removed"]
            }
            // Nothing that is written now reaches it.
            try laptop.run(["import", try mum.file("more", talk.lines)])
            try post(others[0], id, 2, on: "20250103")
            try mum.wait("the laptop has dad's result") { try results(laptop, id).contains("20250103") }
            #expect(try phone.messageCount() <= 11 && !results(phone, id).contains("20250103"))
        }

        @Test("A thief closes a group, leaves another, turns somebody out, and founds one: all of it is undone")
        func theThiefOfGroups() throws {
            let (mum, devices) = try person("laptop", "phone")
            let (laptop, phone) = (devices[0], devices[1])
            let (dad, others) = try person("dad")
            let friend = others[0]
            let family = try found(laptop, as: "Mum")
            try join(friend, family, of: laptop, as: "Dad")
            let games = try found(laptop, as: "Mum", "Games")
            try join(friend, games, of: laptop, as: "Dad")
            let club = try found(friend, as: "Dad", "Club")
            try join(laptop, club, of: friend, as: "Mum")
            func states(_ node: DrivenNode) throws -> [String: String] {
                try Dictionary(uniqueKeysWithValues: groups(node).map { ($0.title, $0.state) })
            }
            let all = ["Family": "joined", "Club": "joined", "Games": "joined"]
            try mum.wait("the phone is in both groups") {
                try states(phone) == all && names(phone, family) == ["Dad", "Mum"]
                    && names(phone, club) == ["Dad", "Mum"]
            }

            let stolen = WholeDay.nextSecond()
            let later = try found(laptop, as: "Mum", "Later")
            try mum.wait("the phone is in the new one") {
                try states(phone)["Later"] == "joined" && phone.run(["game", "list", later]).contains("Wordle")
            }
            try post(phone, later, 1, on: "20250102")
            _ = try found(phone, as: "Mum", "Trap")
            try phone.run(["group", "remove", games, "Dad", "--yes"])
            try phone.run(["group", "delete", family, "--yes"])
            try phone.run(["group", "leave", club, "--yes"])
            try dad.wait("dad sees it") {
                try states(friend) == ["Family": "deleted", "Club": "joined", "Games": "removed"]
                    && names(friend, club) == ["Dad"]
            }
            try mum.wait("and so does the laptop") {
                try states(laptop)
                    == all.merging(
                        ["Family": "deleted", "Club": "left", "Later": "joined", "Trap": "joined"],
                        uniquingKeysWith: { $1 })
                    && results(laptop, later).contains("20250102")
            }

            let removed = try laptop.object(
                Removed.self, ["device", "remove", "phone", "--since", stolen, "--phrase-file", mum.phraseFile])
            // It had let the laptop into its own group.
            #expect(removed.groups == 5 && removed.unsortedGroups == ["Trap"])
            try mum.wait("the laptop is where it was") {
                try states(laptop) == all.merging(["Later": "joined", "Trap": "left"], uniquingKeysWith: { $1 })
                    && !results(laptop, later).contains("20250102")
            }
            #expect(try laptop.run(["group", "show", "Trap"]).contains("a device that you removed"))
            // It would ask by itself after ten minutes.
            try friend.run(["sync"])
            try dad.wait("dad is told") { try states(friend) == all && names(friend, club) == ["Dad", "Mum"] }
            try post(friend, family, 4)
            try post(laptop, club, 3)
            try mum.wait("both groups go on") {
                try !results(laptop, family).contains("[]") && board(laptop, family).contains("Dad")
            }
            try dad.wait("at his, too") { try board(friend, club).contains("Mum") }
        }

        @Test("The other changes its owner by a successor, and throws a cheater out")
        func theCheated() throws {
            WholeDay.begin()
            let (anna, annas) = try person("anna")
            let (ben, bens) = try person("ben")
            let (cleo, cleos) = try person("cleo")
            let (founder, friend, cheater) = (annas[0], bens[0], cleos[0])
            let id = try found(founder, as: "Anna")
            try join(friend, id, of: founder, as: "Ben")
            try join(cheater, id, of: founder, as: "Cleo")
            try ben.wait("all know each other") {
                try [founder, friend, cheater].allSatisfy { try names($0, id) == ["Anna", "Ben", "Cleo"] }
            }
            for (node, score) in [(founder, 4), (friend, 3), (cheater, 1)] { try post(node, id, score) }
            let new = try friend.object(Successor.self, ["group", "successor", id, "--yes"]).groupId
            try anna.wait("anna has the offer") {
                try founder.attempt(["group", "successor", id, "--of", "Ben", "--yes"]).status.isSuccess
            }
            for (fixture, node) in [(anna, founder), (cleo, cheater)] {
                try fixture.wait("the close is known") { try groups(node).contains { $0.state == "deleted" } }
                if try !groups(node).contains(where: { $0.groupId == new }) { try node.run(["group", "follow", id]) }
                try fixture.wait("it is in") {
                    try groups(node).contains { $0.groupId == new && $0.role == "member" }
                }
            }
            try ben.wait("the results of today are there again") {
                let board = try board(friend, new)
                return ["Anna", "Ben", "Cleo"].allSatisfy(board.contains)
            }
            #expect(try groups(friend).first { $0.groupId == new }?.role == "owner")
            #expect(try founder.attempt(["group", "remove", new, "Cleo", "--yes"]).status == .exited(4))

            try friend.run(["group", "suspend", new, "Cleo"])
            try anna.wait("her results are off the board") { try !board(founder, new).contains("Cleo") }
            try friend.run(["group", "remove", new, "Cleo", "--yes"])
            try cleo.wait("she is told") {
                try groups(cheater).contains { $0.groupId == new && $0.state == "removed" }
            }
            #expect(
                try cheater.attempt(["score", "post", new, "--game", "Wordle", "--score", "1"]).status == .exited(4))
            // The old group's ticket for her is used.
            try cheater.run(["group", "follow", id])
            try cleo.wait("it lets her in no more") { try !groups(cheater).contains { $0.state == "pending" } }
            #expect(try groups(cheater).contains { $0.groupId == new && $0.state == "removed" })
            try post(founder, new, 2, on: "20250101")
            try ben.wait("the others go on") {
                try names(friend, new) == ["Anna", "Ben"]
                    && friend.run(["leaderboard", "day", new, "20250101", "--json"]).contains("Anna")
            }
            #expect(try !results(cheater, new).contains("20250101"))
        }
    }
}
