import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    /// A push came without the body, which comes from the other device.
    @Suite struct HintProcessTests {
        private struct Imported: Decodable, Equatable {
            var added: Int
            var placeholders: Int
            var known: Int
        }

        private static func txid(_ number: Int) -> String {
            let hex = String(number, radix: 16)
            return String(repeating: "0", count: 64 - hex.count) + hex
        }

        private static func line(_ number: Int, body: String?) -> String {
            let body = body.map { ", \"body\": \"\($0)\"" } ?? ""
            return """
                {"txid": "\(txid(number))", "conversationId": "bob", "contact": "bob", "direction": "sent", \
                "senderTs": \(1_700_000_000 + number)\(body)}

                """
        }

        @Test(.timeLimit(.minutes(30))) func aBodyThatWaitsInTheOthersQueueComesAtOnce() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("phone", "laptop")
            let (phone, laptop) = (nodes[0], nodes[1])
            try fixture.waitForConnections(nodes)
            try laptop.run(["sync", "--wait", "--timeout", "150"])
            let adding = try APIClient(phone, scopes: "chat:write")
            let hinting = try APIClient(laptop, scopes: "chat:write")
            // It does not stay in the queue for long: on a slow machine it may have come already.
            var asked: Int?
            for number in 7..<37 where asked == nil {
                let line = Self.line(number, body: "a moment ago")
                #expect(try adding.send("POST", "/v1/messages", body: line).status == 200)
                let hint = try hinting.send(
                    "POST", "/v1/messages/\(Self.txid(number))/hint", body: "{\"conversation\": \"bob\"}"
                ).json(ListedMessage.self)
                guard hint.result == "hinted" else { continue }
                #expect(hint.status == "syncing" && hint.body == nil && hint.nextTry != nil)
                asked = number
            }
            let txid = Self.txid(try #require(asked))
            var shown = try laptop.object(ListedMessage.self, ["message", "show", txid])
            try fixture.wait("the body is here") {
                shown = try laptop.object(ListedMessage.self, ["message", "show", txid])
                return shown.body != nil
            }
            #expect(shown.body == "a moment ago" && shown.waitingFor == nil)
            let again = try laptop.object(ListedMessage.self, ["message", "hint", "--txid", txid])
            #expect(again.result == "held")
        }

        @Test(.timeLimit(.minutes(30))) func aStubSaysWhatItWaitsForAndOutlivesAKill() throws {
            let fixture = try Fixture()
            let phone = try fixture.node("phone")
            try phone.start()
            try phone.run(["message", "hint", "--txid", Self.txid(1), "--conversation", "bob"])
            try phone.kill()
            let stopped = try phone.object(ListedMessage.self, ["message", "show", Self.txid(1)])
            #expect(stopped.status == "syncing" && stopped.nextTry == nil)
            #expect(stopped.waitingFor?.contains("not running") == true)
            try phone.start()
            let alone = try phone.object(ListedMessage.self, ["message", "show", Self.txid(1)])
            #expect(alone.waitingFor?.contains("none is in reach") == true && alone.nextTry != nil)
            // It has its own time, even if the account knows no address to try.
            struct Explained: Decodable { var nextTry: Int64? }
            let explained = try phone.object(Explained.self, ["explain", Self.txid(1)])
            // Two clocks are read for it in turn, and on a busy machine much time may pass in between.
            #expect(try #require(explained.nextTry) >= #require(alone.nextTry) - 1_000)
            #expect(
                try phone.objects(ListedMessage.self, ["message", "list", "--placeholders"]).map(\.txid) == [
                    Self.txid(1)
                ])
            #expect(
                try phone.objects(ListedMessage.self, ["message", "list", "--conversation", "bob"]).map(\.status)
                    == ["syncing"])
            #expect(try phone.status().accounts.first?.placeholders == 1)
            try phone.run(["sync", "--now"])
            let refused = try phone.attempt(["message", "hint", "--txid", "abc"])
            #expect(refused.status == .exited(2))
        }

        @Test(.timeLimit(.minutes(30))) func anImportedPlaceholderIsNoContent() throws {
            let fixture = try Fixture()
            let phone = try fixture.node("phone")
            let lines =
                Self.line(1, body: "here") + Self.line(2, body: nil) + Self.line(3, body: "📤 Sent via another device")
                + Self.line(4, body: "ðŸ“¤ Sent via another device") + Self.line(5, body: "later")
            func take(_ text: String, _ options: [String] = []) throws -> Imported? {
                let path = try fixture.file("lines.jsonl", [String(text.dropLast())])
                let replies = try phone.objects(Imported.self, ["import", path] + options)
                return replies.last
            }
            #expect(try take(lines) == Imported(added: 2, placeholders: 3, known: 0))
            #expect(try take(lines) == Imported(added: 0, placeholders: 0, known: 5))
            #expect(
                try take(Self.line(6, body: "later"), ["--placeholder-text", "later"])
                    == Imported(added: 0, placeholders: 1, known: 0))
            #expect(try take(Self.line(2, body: "at last")) == Imported(added: 1, placeholders: 0, known: 0))
            #expect(try phone.status().accounts.first?.placeholders == 3)
            #expect(try phone.object(ListedMessage.self, ["message", "show", Self.txid(2)]).body == "at last")
            let export = try phone.run(["export"])
            #expect(export.split(separator: "\n").count == 3 && !export.contains("📤"))
        }
    }
}
