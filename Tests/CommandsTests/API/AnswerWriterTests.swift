import Testing

@testable import Commands
@testable import Node

@Suite struct AnswerWriterTests {
    private func text(_ writer: inout ReplyWriter) -> String? {
        var block = [UInt8](repeating: 0, count: 4_096)
        let count = block.withUnsafeMutableBytes { writer.read(into: $0) }
        return count.map { String(decoding: block[..<$0], as: UTF8.self) }
    }

    @Test func itEndsWithTheCommand() {
        var writer = ReplyWriter()
        writer.take(.note("a"))
        writer.take(.end(nil))
        writer.flush()
        #expect(writer.answer?.status == 200)
        let said = "{\"note\":\"a\"}\n{\"end\":{\"code\":\"done\",\"exit\":0,\"message\":\"\"}}\n"
        #expect(text(&writer) == said)
        #expect(text(&writer) == nil)
    }

    /// A reader that is cut off is told so, and holds no connection.
    @Test func itEndsWhereItIsCut() throws {
        var writer = ReplyWriter()
        writer.take(.note("a"))
        writer.flush()
        writer.cut()
        #expect(try #require(text(&writer)).contains("\"exit\":4"))
        #expect(text(&writer) == nil)
        writer.cut()
        #expect(text(&writer) == nil)
    }

    /// The path names the message, whoever sends the request.
    @Test func aPathsMessageIsItsOwn() throws {
        let endpoint = try #require(APITable.endpoints.first { $0.id == "putMessage" })
        let txid = String(repeating: "ab", count: 32)
        var plan = CommandExchange.Plan(
            endpoint: endpoint, command: "message add", caller: .owner, arguments: [:], txid: txid, ifNoneMatch: nil)
        plan.readsReply = true
        let exchange = CommandExchange(plan) { request in
            CommandSession(request) { _ throws(NodeError) in throw NodeError(.failed, "nothing is carried out") }
        }
        let other = "{\"txid\":\"\(String(repeating: "cd", count: 32))\"}"
        _ = Array(other.utf8).withUnsafeBytes { exchange.receive($0) }
        exchange.endBody()
        #expect(exchange.answer?.status == 400)
    }
}
