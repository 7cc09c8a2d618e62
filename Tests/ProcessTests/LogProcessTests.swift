import NodeCore
import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    /// What the log reveals, and what it never reveals.
    @Suite struct Logs {
        private struct Token: Decodable { var token: String }
        private struct Phrase: Decodable { var phrase: String }

        private func line(_ number: Int, body: String, score: Int?) -> String {
            let txid = String(repeating: "a", count: 60) + String(4096 + number, radix: 16)
            let chain = score.map { ",\"blockTime\":1103966040037,\"acceptingDaaScore\":\($0)" } ?? ""
            return
                "{\"txid\":\"\(txid)\",\"conversationId\":\"conversation-\(number)\",\"contact\":\"contact-\(number)\","
                + "\"direction\":\"received\",\"senderTs\":1103966040,\"body\":\"\(body)\"\(chain)}"
        }

        /// Two devices hold the same messages, one of them without their places in the chain, at the level debug.
        @Test func debugTellsOfBatchesAndMergesAndNothingOfSecrets() throws {
            let fixture = try Fixture()
            let nodes = [try fixture.node("first-device"), try fixture.node("second-device")]
            let bodies = (0..<30).map { "secretive body number \($0)" }
            for (number, node) in nodes.enumerated() {
                let lines = bodies.enumerated().map { line($0, body: $1, score: number == 0 ? nil : 500 + $0) }
                try node.run(["import", try fixture.file("chat\(number)", lines)])
                node.runArguments += ["--log-level", "debug"]
            }
            let phrase = try nodes[0].object(Phrase.self, ["account", "phrase"]).phrase
            for node in nodes { try node.start() }
            let api = try nodes[0].object(Token.self, ["token", "create", "--scope", "chat:read"]).token
            try nodes[0].run(["group", "create", "Family"])
            let invitation = try nodes[0].object(Token.self, ["group", "invite", "Family"]).token
            try nodes[0].run(["message", "search", "secretive"])
            #expect(try nodes[0].attempt(["group", "join", invitation]).status == .exited(1))
            try fixture.waitForAgreement(nodes, messages: bodies.count)
            var merged: Substring?
            try fixture.wait("the copies have met") {
                merged = nodes[0].log.split(separator: "\n").first { $0.hasPrefix("debug merged: txid aaaa") }
                return merged != nil
            }
            #expect(nodes.contains { $0.log.contains("debug batch: account ") })
            let merge = try #require(merged)
            #expect(merge.contains("score none") && merge.contains("score 5") && merge.contains("same content"))

            var reports: [String] = []
            for node in nodes {
                reports += [try node.run(["diagnostics"]), try node.run(["diagnostics", "--json"])]
                node.stop()
                reports.append(node.log)
            }
            var secrets = bodies + [api, invitation] + (0..<30).flatMap { ["conversation-\($0)", "contact-\($0)"] }
            // Single words occur in any text, but three in a row do not.
            let words = phrase.split(separator: " ")
            secrets += words.indices.dropLast(2).map { words[$0..<$0 + 3].joined(separator: " ") }
            for node in nodes {
                let identity = try #require(FileTree.read(node.home + "/identity"))
                secrets += identity.indices.dropLast(7).map { Hex.encode(Array(identity[$0..<$0 + 8])) }
            }
            for report in reports {
                #expect(!report.isEmpty)
                for secret in secrets { #expect(!report.contains(secret), "\(secret)") }
            }
            #expect(reports.contains { $0.contains("connected") }, "what is told is found")
        }
    }
}
