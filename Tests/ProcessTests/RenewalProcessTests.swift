import NodeDriver
import ProcessHarness
import SampleData
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests.Accounts {
    /// The words are lost: everything here moves to a new account.
    @Suite struct Renewal {
        private struct Renewed: Decodable {
            struct Group: Decodable {
                var title = ""
                var isOwner = false
            }

            var accountId = ""
            var label = ""
            var phrase: String?
            var messages = 0
            var oldLabel = ""
            var groups: [Group] = []
        }

        private struct Listed: Decodable {
            var label = ""
            var accountId = ""
            var createdAt: Int64 = 0
        }

        private func list(_ node: DrivenNode) throws -> [Listed] { try node.objects(Listed.self, ["account", "list"]) }

        /// Everything that an account shows, except what its lanes and writing times make different.
        private func content(_ node: DrivenNode, _ label: String) throws -> [String] {
            let account = ["--account", label]
            let export = try node.run(["export", "--state"] + account).split(separator: "\n").map(String.init)
            let missing = try node.run(["message", "list", "--placeholders"] + account)
            // In another account, its reader is another lane.
            let unread = try node.run(["conversation", "list", "--json"] + account)
                .replacing(/"lastReadBy":"[0-9a-f]*"/, with: "")
            return export.sorted() + [try node.run(["achievement", "export"] + account), missing, unread]
        }

        /// Makes messages that are read, deleted or known only by their ids, a title, a pin and achievements.
        private func prepare(_ node: DrivenNode, _ fixture: Fixture, _ count: Int) throws -> Talk {
            let talk = Talk(count)
            let (first, second) = (talk.messages[0], talk.messages[count / 2])
            try node.run(["import", try fixture.file("chat", talk.lines)])
            try node.run(["read", "mark", first.conversationID])
            try node.run(["conversation", "set", first.conversationID, "--title", "Best friends", "--pinned", "on"])
            try node.run(["message", "delete", second.txidHex, "--yes"])
            try node.run(["message", "hint", "--txid", String(repeating: "7", count: 64), "--conversation", "later"])
            let file = """
                [{"id":"5d0c8a52-8a4f-4f0e-9d52-0000000000aa","category":"streaks","requirements":[["gold",30]],
                "progress":{"currentValue":31,"lastUpdated":1750000000000,"currentTier":3}}]
                """
            try node.run(["achievement", "import", try fixture.file("achievements", [file])])
            try node.run(["group", "create", "Family"])
            return talk
        }

        @Test func allThatIsHereGoesOnUnderNewWords() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            _ = try prepare(node, fixture, 300)
            let before = try content(node, "main")
            let createdAt = try list(node)[0].createdAt
            let renewed = try node.object(Renewed.self, ["account", "renew"])
            #expect(renewed.phrase?.split(separator: " ").count == 24)
            #expect(renewed.label == "main" && renewed.oldLabel == "old main" && renewed.messages == 299)
            #expect(renewed.groups.map(\.title) == ["Family"] && renewed.groups[0].isOwner)
            #expect(try list(node).map(\.label) == ["main", "old main"])
            #expect(try list(node)[0].accountId == renewed.accountId && list(node)[0].createdAt == createdAt)
            #expect(try content(node, "main") == before)
            #expect(try content(node, "old main") == before)
            // Messages that reach the old account later are taken over, and nothing is done twice.
            try node.run(["import", try fixture.file("more", Talk(310).lines), "--account", "old main"])
            let again = try node.object(Renewed.self, ["account", "renew", "--account", "old main"])
            #expect(again.accountId == renewed.accountId && again.label == "main" && again.oldLabel == "old main")
            #expect(try content(node, "main") == content(node, "old main"))
            // The new words let a device in.
            let words = try #require(renewed.phrase).split(separator: " ")
            try node.run(
                ["account", "confirm", "--account", "main", "--words-file", "-"],
                input: "5 \(words[4]) 19 \(words[18])\n")
            let other = fixture.adopt("two", home: fixture.folder.file("two"))
            try other.run(["init", "--phrase-file", try fixture.file("words", [words.joined(separator: " ")])])
            #expect(try other.run(["account", "list"]).contains(renewed.accountId.prefix(16)))
            #expect(try node.run(["status"]).contains("continued as main at"))
        }

        /// The kills come closer and closer to the end, with a running node and without.
        @Test func aRenewalThatIsKilledAtAnyMomentIsContinued() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            _ = try prepare(node, fixture, 4_000)
            let before = try content(node, "main")
            let clock = ContinuousClock()
            let measured = try copy(of: node, "measured", fixture)
            let whole = try clock.measure { try measured.run(["account", "renew"]) }
            var cutOff = 0
            // Further moments follow if the measured run was slow, and none of the first ones cut it off.
            for step in 1...12 where step <= 4 || cutOff == 0 {
                let home = try copy(of: node, "home-\(step)", fixture)
                let child = try ChildProcess(home.binary.command(home: home.home, ["account", "renew"]))
                let moment = clock.now + (step <= 4 ? whole * step / 5 : whole * (2 * step - 9) / 16)
                while clock.now < moment && child.isRunning { usleep(500) }
                child.killNow()
                _ = try child.wait()
                let listed = try list(home)
                // The old account stays in its place until everything is there.
                if listed.first?.label == "main", listed.count == 2, try list(node)[0].accountId == listed[0].accountId
                {
                    cutOff += 1
                    #expect(try content(home, "main") == before, "\(step)")
                }
                let label = listed.contains { $0.label == "old main" } ? "old main" : "main"
                let renewed = try home.object(Renewed.self, ["account", "renew", "--account", label])
                #expect(try list(home).map(\.label) == ["main", "old main"], "\(step)")
                #expect(renewed.phrase != nil && renewed.messages == 3_999, "\(step)")
                #expect(try content(home, "main") == before && content(home, "old main") == before, "\(step)")
            }
            #expect(cutOff > 0)
        }

        private func copy(of node: DrivenNode, _ name: String, _ fixture: Fixture) throws -> DrivenNode {
            try FileTree.copy(node.home, to: fixture.folder.file(name))
            return fixture.adopt(name, home: fixture.folder.file(name))
        }
    }
}
