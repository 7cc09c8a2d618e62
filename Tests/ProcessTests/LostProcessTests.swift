import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests.Accounts {
    /// All devices are lost, and only the words are left: with a backup, or with an old device that has everything.
    @Suite struct Lost {
        private struct Details: Decodable {
            var epoch = 0
            var state = ""
        }

        private struct Said: Decodable {
            struct Account: Decodable {
                struct Problem: Decodable {
                    var code = ""
                }

                var problems: [Problem] = []
            }

            var accounts: [Account] = []
        }

        private func epoch(_ node: DrivenNode) throws -> Int {
            try node.object(Details.self, ["account", "show"]).epoch
        }

        private func hasKey(_ node: DrivenNode) throws -> Bool {
            try node.object(Said.self, ["status"]).accounts[0].problems.contains { $0.code == "recoveryKey" }
        }

        private func content(_ node: DrivenNode) throws -> [String] {
            try node.run(["export", "--state"]).split(separator: "\n").map(String.init).sorted()
        }

        /// The keys were replaced before the backup was made, and the words open it.
        @Test func theWordsAndABackupBringAllBack() throws {
            let fixture = try Fixture()
            let node = try fixture.node("laptop")
            let talk = Talk(210)
            try node.run(["import", try fixture.file("chat", Array(talk.lines.prefix(100)))])
            for _ in 0..<2 { try node.run(["account", "rotate"]) }
            try node.run(["import", try fixture.file("more", Array(talk.lines.prefix(200)))])
            try node.run(["read", "mark", talk.messages[0].conversationID])
            let backup = fixture.folder.file("backup")
            try node.run(["backup", backup, "--without-keys"])
            let before = try content(node)
            FileTree.remove(node.home)

            let phone = fixture.adopt("phone", home: fixture.folder.file("phone"))
            #expect(try phone.attempt(["restore", backup]).status == .exited(2))
            try phone.run(["restore", backup, "--phrase-file", fixture.phraseFile])
            #expect(try content(phone) == before)
            try phone.start()
            #expect(try epoch(phone) == 2)
            // It is a normal device: another one reads what it writes.
            try phone.run(["import", try fixture.file("new", talk.lines)])
            let tablet = try fixture.node("tablet")
            try tablet.start()
            try fixture.waitForAgreement([phone, tablet], messages: 210)
            #expect(try epoch(tablet) == 2)
            try fixture.wait("the key for what is sealed to the person is wiped") { try !hasKey(phone) }
        }

        /// An old tablet in a drawer has everything; the phone comes in by the words before it is found.
        @Test func theWordsAndADeviceThatIsFoundLaterBringAllBack() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("laptop", "tablet")
            let (laptop, tablet) = (nodes[0], nodes[1])
            let talk = Talk(65)
            try laptop.run(["import", try fixture.file("chat", Array(talk.lines.prefix(50)))])
            for _ in 0..<3 { try laptop.run(["account", "rotate"]) }
            try laptop.run(["import", try fixture.file("more", Array(talk.lines.prefix(60)))])
            try fixture.waitForAgreement(nodes, messages: 60)
            try fixture.wait("the tablet has the newest keys") { try epoch(tablet) == 3 }
            let before = try content(tablet)
            tablet.stop()
            laptop.stop()
            FileTree.remove(laptop.home)

            let phone = try fixture.node("phone")
            try phone.start()
            try phone.run(["import", try fixture.file("own", Array(talk.lines.suffix(5)))])
            #expect(try hasKey(phone) && epoch(phone) == 0)
            // Nobody asks for the words again, even after a restart.
            phone.stop()
            try phone.start()
            #expect(try hasKey(phone))
            try tablet.start()
            try fixture.waitForAgreement([phone, tablet], messages: 65)
            #expect(try Set(before).isSubset(of: content(phone)))
            try fixture.wait("the phone has the newest keys, and wipes the one it came with") {
                try epoch(phone) == 3 && !hasKey(phone)
            }
            phone.stop()
            #expect(try !hasKey(phone))
        }
    }
}
