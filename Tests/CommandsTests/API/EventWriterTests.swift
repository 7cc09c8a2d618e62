import Testing

@testable import Commands
@testable import Node

@Suite struct EventWriterTests {
    private func text(_ writer: inout EventWriter) -> String? {
        var read: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 7)
        while true {
            guard let count = block.withUnsafeMutableBytes({ writer.read(into: $0) }) else {
                return read.isEmpty ? nil : String(decoding: read, as: UTF8.self)
            }
            guard count > 0 else { return String(decoding: read, as: UTF8.self) }
            read += block[..<count]
        }
    }

    private func writer() throws -> EventWriter {
        EventWriter(try #require(APITable.endpoints.first { $0.id == "events" }))
    }

    private func change(_ token: String, _ kind: String) throws -> CommandReply.Item {
        var reply = CommandReply()
        reply.data(
            .object([
                "token": .string(token), "kind": .string(kind), "conversationId": .string("a\",\"token\":\"no\n"),
            ]))
        return try #require(reply.take().first)
    }

    private func ending(_ code: NodeError.Code) -> CommandReply.Item { .end(NodeError(code, "because")) }

    @Test func eachChangeIsAnEventWithItsToken() throws {
        var writer = try writer()
        writer.take(try change("t1", "here"))
        writer.flush()
        #expect(writer.answer?.status == 200)
        let first = try #require(text(&writer))
        #expect(first.hasPrefix("retry: 2000\n\nevent: here\nid: t1\ndata: {"))
        #expect(first.hasSuffix("}\n\n"))
        #expect(first.split(separator: "\n", omittingEmptySubsequences: false).count == 7)
        #expect(text(&writer) == "")
        writer.beat()
        #expect(text(&writer) == ": \n\n")
    }

    @Test func aTokenThatIsTooOldBringsAReset() throws {
        var writer = try writer()
        writer.take(ending(.expiredToken))
        #expect(writer.needsReset)
        writer.flush()
        #expect(writer.answer == nil)
        writer.take(try change("t9", "here"))
        writer.flush()
        let said = try #require(text(&writer))
        #expect(said.contains("event: reset\nid: t9\ndata: {"))
        #expect(said.contains("\"code\":\"expired-token\""))
        #expect(said.contains("\"token\":\"t9\""))
        #expect(!writer.needsReset)
    }

    @Test func whatFailsAtOnceIsNoStream() throws {
        var writer = try writer()
        writer.take(ending(.usage))
        writer.flush()
        #expect(writer.answer?.status == 400)
    }

    @Test func whatFailsLaterEndsTheStreamWithAWord() throws {
        var writer = try writer()
        writer.flush()
        writer.take(ending(.notFound))
        #expect(try #require(text(&writer)).contains("event: end\ndata: {"))
        #expect(text(&writer) == nil)
    }
}
