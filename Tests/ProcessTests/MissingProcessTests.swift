import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests {
    /// What is said about messages that are missing here, and about the devices that may have them.
    @Suite struct Missing {
        private struct Row: Decodable {
            var conversationId: String?
            var senderTs: Int
            var missingAfter: Gap?
            var missingBefore: Gap?
        }

        private struct Gap: Decodable {
            var messages: Int
            var from: Int
            var to: Int
            var sentence: String?
            var devices: [Device]
        }

        private struct Device: Decodable {
            var name: String?
        }

        private struct Conversation: Decodable {
            var conversationId: String
            var messages: Int
            var missing: Int
            var gap: WholeGap?
        }

        private struct WholeGap: Decodable {
            var messages: Int
            var from: Int
            var to: Int
            var devices: [Device]
        }

        private struct Status: Decodable {
            struct Account: Decodable {
                var state: String
                var verdict: String
                var missing: [Gap]
                var sentence: String
                var summary: String
                var problems: [Problem]
                var devices: [Peer]
            }

            struct Problem: Decodable {
                var code: String
                var what: String
                var device: String?
                var remedy: String
                var command: String?
            }

            struct Peer: Decodable {
                var name: String?
                var level: Bool
                var connected: Bool
            }

            var accounts: [Account]
        }

        private struct Doctor: Decodable {
            struct Check: Decodable {
                var check: String
                var state: String
                var text: String
            }

            var ok: Bool
            var checks: [Check]
        }

        private static func account(_ node: DrivenNode) throws -> Status.Account {
            try #require(try node.object(Status.self, ["status"]).accounts.first)
        }

        private static func rows(_ node: DrivenNode, _ conversation: String) throws -> [Row] {
            try node.objects(Row.self, ["message", "list", "--conversation", conversation, "--limit", "1000"])
        }

        /// A damaged segment leaves a gap that the lists show. It names the device that was level last before the one
        /// that wrote it and never returned.
        @Test func aGapStandsInItsPlaceAndNamesWhoMayHaveIt() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("laptop", "old-tablet", "phone")
            let (laptop, tablet, phone) = (nodes[0], nodes[1], nodes[2])
            try tablet.run(["import", try fixture.file("chat", Talk(400, conversations: 3).lines)])
            try fixture.waitForAgreement(nodes, messages: 400)
            tablet.stop()
            try laptop.run(["message", "add"], input: Talk(1, seed: 8).lines[0] + "\n")
            try laptop.run(["flush"])
            try fixture.waitForAgreement([laptop, phone], messages: 401)
            try fixture.wait("the laptop notes that the phone holds all") {
                try Self.account(laptop).devices.contains { $0.name == "phone" && $0.level }
            }
            phone.stop()
            laptop.stop()
            try Damage.rot(laptop.home, "MIN")
            try laptop.start()
            _ = try laptop.attempt(["export"])
            try fixture.wait("it says what is missing") {
                try Self.account(laptop).problems.contains { $0.code == "absentBlobs" }
            }

            let problem = try #require(try Self.account(laptop).problems.first { $0.code == "absentBlobs" })
            #expect(problem.device == "phone", "the likeliest comes first: \(problem)")
            #expect(problem.what.contains("phone or old-tablet"))
            let account = try Self.account(laptop)
            #expect(account.verdict == "incomplete")
            #expect(account.missing.map { $0.devices.compactMap(\.name) } == [["phone", "old-tablet"]])
            #expect(
                account.missing.map(\.messages).reduce(0, +)
                    == (try laptop.objects(Conversation.self, ["conversation", "list"]).map(\.missing).reduce(0, +)))
            #expect(problem.remedy.contains("phone"))
            let list = try laptop.objects(Conversation.self, ["conversation", "list"])
            let hurt = try #require(list.first { $0.missing > 0 })
            let rows = try Self.rows(laptop, hurt.conversationId)
            #expect(rows.count == hurt.messages)
            let gaps = rows.flatMap { [$0.missingAfter, $0.missingBefore].compactMap(\.self) }
            #expect(gaps.map(\.messages).reduce(0, +) == hurt.missing)
            let gap = try #require(gaps.first)
            #expect(gap.devices.compactMap(\.name) == ["phone", "old-tablet"])
            for (place, row) in rows.enumerated() where row.missingAfter != nil {
                #expect(row.senderTs * 1_000 <= gap.to)
                if place > 0 { #expect(rows[place - 1].senderTs * 1_000 >= gap.to) }
            }
            let text = try laptop.run(["message", "list", "--conversation", hurt.conversationId, "--limit", "1000"])
            #expect(text.contains(try #require(gap.sentence)))
            #expect(try laptop.run(["conversation", "list"]).contains("\(hurt.missing) missing here"))

            let result = try laptop.attempt(["doctor", "--discovery", "lo", "--json"])
            let doctor = try DrivenNode.decode(Doctor.self, result.output[...], from: ["doctor"])
            #expect(result.status == .exited(1) && !doctor.ok)
            #expect(doctor.checks.contains { $0.check == "messages" && $0.state == "failure" })

            try phone.start()
            try fixture.waitForAgreement([laptop, phone], messages: 401)
            let mended = try Self.rows(laptop, hurt.conversationId)
            #expect(mended.count == hurt.messages + hurt.missing)
            #expect(mended.allSatisfy { $0.missingAfter == nil && $0.missingBefore == nil })
        }

        /// A new device that meets only one which has lost the messages knows what exists, and who wrote it.
        @Test func aConversationOfWhichNothingIsHereIsListed() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("phone", "laptop")
            let (phone, laptop) = (nodes[0], nodes[1])
            try phone.run(["import", try fixture.file("chat", Talk(60, conversations: 3).lines)])
            try fixture.waitForAgreement(nodes, messages: 60)
            let before = try phone.objects(Conversation.self, ["conversation", "list"])
            try phone.run(["conversation", "set", before[1].conversationId, "--title", "Ann"])
            try fixture.wait("the laptop has the title") {
                try laptop.run(["conversation", "list"]).contains("Ann")
            }
            for node in nodes { node.stop() }
            try Damage.rot(laptop.home, "ALL")
            try laptop.start()
            _ = try laptop.attempt(["export"])
            let tablet = try fixture.started("tablet")[0]
            try fixture.wait("the tablet knows of all") {
                try Self.account(tablet).missing.map(\.messages).reduce(0, +) == 60
            }
            let list = try tablet.objects(Conversation.self, ["conversation", "list"])
            #expect(Set(list.map(\.conversationId)) == Set(before.map(\.conversationId)) && list.count == 3)
            for was in before {
                let conversation = try #require(list.first { $0.conversationId == was.conversationId })
                #expect(conversation.messages == 0 && conversation.missing == was.messages)
                let gap = try #require(conversation.gap)
                #expect(gap.messages == was.messages && gap.from <= gap.to)
                #expect(gap.devices.compactMap(\.name) == ["phone"])
            }
            let text = try tablet.run(["conversation", "list"])
            #expect(text.contains("Ann") && text.contains("\(before[1].messages) missing here"))
            let shown = try tablet.object(Conversation.self, ["conversation", "show", before[1].conversationId])
            #expect(shown.missing == before[1].messages && shown.gap != nil)
            // A list of it and a search say the same.
            let refused = try tablet.attempt(["message", "list", before[1].conversationId])
            #expect(refused.status == .exited(5) && refused.errorOutput.contains("phone may have"))
            let search = try tablet.attempt(["message", "search", "nothing"])
            #expect(search.errorOutput.contains("not searched: 60 messages"), "\(search)")

            try phone.start()
            try fixture.waitForAgreement([phone, laptop, tablet], messages: 60)
            let mended = try tablet.objects(Conversation.self, ["conversation", "list"])
            #expect(mended.map(\.messages) == before.map(\.messages) && mended.allSatisfy { $0.gap == nil })
            #expect(!(try tablet.attempt(["message", "search", "nothing"]).errorOutput.contains("not searched")))
        }

        /// Devices that lack the same do not hold everything, though their records are equal.
        @Test func whoLacksTheSameIsNotSaidToHoldEverything() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("laptop", "old-tablet", "phone")
            let (laptop, tablet, phone) = (nodes[0], nodes[1], nodes[2])
            try tablet.run(["import", try fixture.file("chat", Talk(200, conversations: 3).lines)])
            try fixture.waitForAgreement(nodes, messages: 200)
            for node in nodes { node.stop() }
            for node in [laptop, phone] { try Damage.rot(node.home, "ALL") }
            for node in [laptop, phone] {
                try node.start()
                _ = try node.attempt(["export"])
            }
            try fixture.wait("each sees that the other lacks them, too") {
                try [laptop, phone].allSatisfy { node in
                    let devices = try Self.account(node).devices
                    return devices.contains { $0.connected && $0.name != node.name && !$0.level }
                }
            }
            for node in [laptop, phone] {
                let account = try Self.account(node)
                #expect(account.state == "waiting" && account.verdict == "incomplete")
                #expect(account.sentence.contains("old-tablet"), "\(account.sentence)")
                #expect(!account.summary.contains("devices hold everything"), "\(account.summary)")
            }
            try tablet.start()
            try fixture.waitForAgreement(nodes, messages: 200)
            try fixture.wait("both hold everything") {
                try Self.account(laptop).devices.allSatisfy { $0.level || $0.name == "laptop" }
            }
        }

        /// An advised command acts on the home and account of the advice, wherever it is pasted.
        @Test func anAdvisedCommandActsOnItsAccount() throws {
            let fixture = try Fixture()
            let node = DrivenNode(fixture.binary, name: "a node's", home: fixture.folder.file("a node's"))
            fixture.adopt(node)
            try node.initialise()
            try node.run(["account", "create", "--label", "my work"])
            try node.start()
            try node.run(["account", "pause", "--account", "my work"])
            let status = try node.object(Status.self, ["status"])
            let paused = try #require(status.accounts.first { $0.state == "paused" })
            #expect(!paused.sentence.contains("`") && paused.problems.allSatisfy { !$0.remedy.contains("`") })
            let refused = try node.attempt(["sync", "--account", "my work"])
            for text in [paused.problems.first?.command ?? "", refused.errorOutput] {
                try node.run(["account", "pause", "--account", "my work"])
                let parts = text.split(separator: "`", omittingEmptySubsequences: false)
                try #require(parts.count == 3, "one command in \(text)")
                let words = String(parts[1])
                #expect(words.contains("--home") && words.contains("--account"), "\(words)")
                let folder = fixture.binary.path.split(separator: "/").dropLast().joined(separator: "/")
                let shell = try Command("sh", ["-c", "PATH=/\(folder):$PATH; \(words)"]).run()
                #expect(shell.status.isSuccess, "\(words): \(shell.errorOutput)")
                let after = try node.object(Status.self, ["status"])
                #expect(!after.accounts.contains { $0.state == "paused" }, "\(words)")
            }
        }
    }
}
