import NodeDriver
import ProcessHarness
import SampleData
import Testing

extension ProcessTests {
    @Suite struct Accounts {
        struct Account: Decodable {
            var accountId: String
            var label: String
            var isDefault: Bool?
            var phrase: String?
            var state: String?
            var epoch: Int?
            var createdAt: Int64?
            var pausedBy: String?
            var messages: Int?
        }

        private func list(_ node: DrivenNode) throws -> [Account] {
            try node.objects(Account.self, ["account", "list"])
        }

        @Test(arguments: [false, true])
        func accountsComeAndGo(isRunning: Bool) throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            if isRunning { try node.start() }
            let work = try node.object(Account.self, ["account", "create", "--label", "work"])
            #expect(try #require(work.phrase).split(separator: " ").count == 24)
            let key = String(repeating: "7f", count: 32)
            let wallet = try node.run(["account", "import", "--wallet-key", fixture.file("key", [key]), "--json"])
            #expect(wallet.contains("\"label\":\"account 2\""))
            #expect(try list(node).map(\.label) == ["main", "work", "account 2"])

            let hint = ["message", "hint", "--txid", String(repeating: "ab", count: 32)]
            let ambiguous = try node.attempt(hint)
            #expect(ambiguous.status == .exited(2))
            for label in ["main (", "work (", "account 2 ("] { #expect(ambiguous.errorOutput.contains(label)) }
            #expect(try node.attempt(hint + ["--account", "work"]).status == .exited(0))

            // The same account again, a label that is taken, and something that is no secret.
            let phrase = try fixture.file("work", [try #require(work.phrase)])
            #expect(try node.attempt(["account", "import", "--phrase-file", phrase]).status == .exited(1))
            #expect(try node.attempt(["account", "create", "--label", "work"]).status == .exited(1))
            #expect(try node.attempt(["account", "import", "--wallet-key", phrase]).status == .exited(1))
            #expect(try node.attempt(["account", "import"]).status == .exited(2))

            try node.run(["account", "label", "wallet", "--account", "account 2"])
            try node.run(["account", "default", "work"])
            let talk = Talk(5, conversations: 2)
            try node.run(["import", try fixture.file("chat", talk.lines), "--account", "wallet"])
            #expect(try list(node).map(\.label) == ["work", "main", "wallet"])
            #expect(try list(node).map(\.messages) == [0, 0, 5])
            #expect(try node.run(["export"]).isEmpty)
            #expect(try node.run(["export", "--account", "wallet"]).split(separator: "\n").count == 5)

            // The command asks first: without --yes nothing is removed.
            #expect(FileTree.names(in: node.home + "/zones").count { $0.hasSuffix(".db") } == 3)
            let asked = try node.attempt(["account", "remove", "wallet", "--json"])
            #expect(asked.status == .exited(2))
            #expect(asked.output.contains("\"removed\":false"))
            #expect(try list(node).count == 3)
            try node.run(["account", "remove", "wallet", "--yes"])
            #expect(try list(node).map(\.label) == ["work", "main"])
            #expect(FileTree.names(in: node.home + "/zones").count { $0.hasSuffix(".db") } == 2)

            // It comes back empty, and the rest survives a restart.
            try node.run(["account", "import", "--wallet-key", fixture.file("key", [key]), "--label", "wallet"])
            #expect(try node.run(["export", "--account", "wallet"]).isEmpty)
            if isRunning { #expect(node.stop() == .exited(0)) }
            #expect(try list(node).map(\.label) == ["work", "main", "wallet"])
        }

        @Test func nothingCrossesBetweenAccounts() throws {
            let family = try FiveAccounts()
            let (nodes, holders) = (family.nodes, family.holders)
            for node in nodes { try node.start() }
            try family.fill()
            let texts = family.talks.mapValues { Set($0.messages.map(\.txidHex)) }
            for (place, node) in nodes.enumerated() {
                let held = holders.filter { $0.value.contains(place) }.keys.sorted()
                #expect(try list(node).map(\.label).sorted() == held)
                for label in held {
                    let shown = try node.objects(ListedMessage.self, ["export", "--account", label]).map(\.txid)
                    #expect(Set(shown) == texts[label])
                    #expect(shown.count == 40)
                }
                struct Refusals: Decodable {
                    struct Counts: Decodable { var records: Int, blobs: Int }
                    var refused: Counts
                }
                let refused = try node.object(Refusals.self, ["status"]).refused
                #expect(refused.records == 0)
                #expect(refused.blobs == 0)
            }
            // Each account has the same digest everywhere, and no two accounts share one.
            var digests: [String: Set<String>] = [:]
            try family.fixture.wait("each account is the same everywhere") {
                digests = [:]
                for node in nodes {
                    let labels = try Dictionary(uniqueKeysWithValues: list(node).map { ($0.accountId, $0.label) })
                    for account in try node.status().accounts {
                        digests[labels[account.accountId] ?? "", default: []].insert(account.zoneDigest)
                    }
                }
                return digests.values.allSatisfy { $0.count == 1 }
            }
            #expect(Set(digests.values.flatMap(\.self)).count == 5)
        }

        @Test func aPauseOutlivesARestart() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try fixture.waitForConnections(nodes)
            try nodes[1].run(["pause", "--by", "the battery saver"])
            try fixture.wait("the session ends") { try nodes[0].status().connectedDevices == 0 }
            #expect(try nodes[1].status().state == "paused")
            #expect(try nodes[1].run(["status"]).hasPrefix("Paused by the battery saver since "))
            #expect(try nodes[1].attempt(["sync"]).status == .exited(1))
            try nodes[0].run(["import", try fixture.file("chat", Talk(10).lines)])
            nodes[1].stop()
            try nodes[1].start()
            #expect(try list(nodes[1]).first?.pausedBy == "the battery saver")
            #expect(try nodes[1].status().connectedDevices == 0)
            #expect(try nodes[1].messageCount() == 0)
            try nodes[1].run(["resume"])
            try fixture.waitForAgreement(nodes, messages: 10)
        }

        @Test func aSleeperAndAFreshDeviceFollowRotations() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try nodes[0].run(["import", try fixture.file("chat", Talk(10).lines)])
            try fixture.waitForAgreement(nodes, messages: 10)
            nodes[1].stop()
            for _ in 0..<3 { try nodes[0].run(["account", "rotate"]) }
            let third = try fixture.node("three")
            try nodes[1].start()
            try third.start()
            let all = nodes + [third]
            try fixture.waitForAgreement(all, messages: 10)
            for node in all {
                try fixture.wait("\(node.name) follows") {
                    try node.object(Account.self, ["account", "show"]).epoch == 3
                }
            }
            // The account's creation time is the same everywhere.
            try fixture.wait("all say the same") { Set(try all.map { try createdAt($0) }).count == 1 }
        }

        private func createdAt(_ node: DrivenNode) throws -> Int64? {
            try node.object(Account.self, ["account", "show"]).createdAt
        }
    }
}
