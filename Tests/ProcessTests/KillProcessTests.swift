import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    @Suite struct Kills {
        /// The node repeatedly dies at a random moment of an import; what it acknowledged is there afterwards.
        @Test func inTheMiddleOfAnImport() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let talk = Talk(TestScale.of(usual: 4_000, proof: 12_000), conversations: 200)
            let path = try fixture.file("chat.jsonl", talk.lines)
            var random = SampleRandom(seed: 10)
            var acknowledged = 0
            for _ in 0..<TestScale.of(usual: 3, proof: 10) {
                try node.start()
                let importer = try ChildProcess(fixture.binary.command(home: node.home, ["import", path, "--json"]))
                usleep(UInt32.random(in: 20_000...600_000, using: &random))
                try node.kill()
                try importer.wait()
                let progress = try importer.errorOutput?.available() ?? []
                let told = progress.compactMap { Self.number("lines", in: $0) }.max() ?? 0
                acknowledged = max(acknowledged, told)
                let held = try node.exportedTxids()
                for message in talk.messages.prefix(acknowledged) where !held.contains(message.txidHex) {
                    Issue.record("acknowledged, but lost: \(message.txidHex)")
                }
            }
            try node.start()
            try node.run(["import", path], within: .seconds(600))
            let account = try #require(try node.status().account)
            #expect(account.messages == talk.messages.count)
            #expect(account.unread == talk.received)
            #expect(try node.exportedTxids() == Set(talk.messages.map(\.txidHex)))
            let again = try node.run(["import", path, "--json"], within: .seconds(600))
            #expect(Self.number("added", in: again) == 0)
        }

        /// A device repeatedly dies at a random moment of its restore; it never holds less than it reported.
        @Test func inTheMiddleOfARestore() throws {
            let fixture = try Fixture()
            let talk = Talk(TestScale.of(usual: 3_000, proof: 8_000), conversations: 200)
            let source = try fixture.node("source")
            try source.start()
            try source.run(["import", try fixture.file("chat.jsonl", talk.lines)], within: .seconds(600))
            let target = try fixture.node("target")
            var random = SampleRandom(seed: 11)
            var told = 0
            for _ in 0..<TestScale.of(usual: 3, proof: 10) {
                try target.start()
                usleep(UInt32.random(in: 10_000...500_000, using: &random))
                told = try target.messageCount()
                try target.kill()
                let held = try target.messageCount()
                #expect(held >= told)
            }
            try target.start()
            try fixture.waitForAgreement([source, target], messages: talk.messages.count)
            #expect(try target.exportedTxids() == (try source.exportedTxids()))
        }

        /// The number after a field's name in a line of JSON.
        private static func number(_ field: String, in line: String) -> Int? {
            guard let start = line.firstRange(of: "\"\(field)\":")?.upperBound else { return nil }
            return Int(line[start...].prefix { $0.isNumber })
        }
    }
}
