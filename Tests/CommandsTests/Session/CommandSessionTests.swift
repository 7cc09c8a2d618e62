import JSONLines
import NodeCore
import NodeModel
import Testing

@testable import Commands
@testable import Node

@Suite struct CommandSessionTests {
    /// Returns each line of its input.
    private final class Echo: Operation {
        let changesData = true

        func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
            switch input.next() {
            case .line(let line):
                if line.isEmpty { throw NodeError(.notFound, "an empty line") }
                reply.data(.string(String(decoding: line, as: UTF8.self)))
                return .again
            case .tooLong:
                reply.note("too long")
                return .again
            case nil: return input.isEnded ? .done : .needsInput
            }
        }
    }

    /// Takes a line in each slice; an empty line means that the disk is full.
    private final class Counting: Operation {
        let changesData = true
        private var counts = Imported()
        var kept: (any Model)? { counts.lines > 0 ? counts : nil }

        func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
            guard case .line(let line) = input.next() else { return .needsInput }
            counts.lines += 1
            reply.note("taken")
            if line.isEmpty { throw NodeError.storageFull }
            return .again
        }
    }

    /// The slices before the one that is rolled back were committed.
    @Test(arguments: [false, true]) func anErrorLeavesWhatWasKept(isAtCommit: Bool) throws {
        let session = CommandSession(Invocation(command: "count", arguments: [:])) { _ in
            CommandTask(operation: Counting())
        }
        session.receive(Array((isAtCommit ? "a\nb\nc\n" : "a\nb\n\n").utf8))
        for _ in 0..<2 {
            session.step(waitingReplyBytes: 0, now: .zero)
            #expect(take(session) == [.note("taken")])
        }
        session.step(waitingReplyBytes: 0, now: .zero)
        if isAtCommit { session.fail(.storageFull) }
        let told = take(session)
        #expect(told.count == 2)
        guard case .data(let bytes)? = told.first, case .end(_, "storage-full", _)? = told.last else {
            Issue.record("\(told)")
            return
        }
        #expect(try Imported(json: #require(JSONValue(json: bytes))).lines == 2)
    }

    private func session(_ command: String = "echo") -> CommandSession {
        CommandSession(Invocation(command: command, arguments: [:])) { request in
            guard request.command == "echo" else { throw NodeError(.usage, "unknown command") }
            return CommandTask(operation: Echo())
        }
    }

    private func take(_ session: CommandSession) -> [ReplyLine] { session.takeReply().map(ReplyLine.init) }

    private func run(_ text: String, command: String = "echo", step: Int = 1000) -> [ReplyLine] {
        let session = session(command)
        let bytes = Array(text.utf8)
        var replies: [ReplyLine] = []
        func work() {
            repeat {
                session.step(waitingReplyBytes: 0, now: .zero)
                replies += take(session)
            } while session.wakeAt != nil
        }
        work()
        for start in stride(from: 0, to: bytes.count, by: step) {
            session.receive(bytes[start..<min(start + step, bytes.count)])
            work()
        }
        session.endInput()
        work()
        return replies
    }

    @Test(arguments: [1, 7, 4096]) func aRequestItsInputAndItsEnd(step: Int) {
        let done = ReplyLine.end(exit: 0, code: "done", message: "")
        let lines = [ReplyLine.data(Array("\"one\"".utf8)), .data(Array("\"two\"".utf8)), done]
        #expect(run("one\ntwo\n", step: step) == lines)
        #expect(run("one\ntwo", step: step) == lines, "the last line needs no newline")
        #expect(run("", step: step) == [done])
        let long = String(repeating: "x", count: Limits.inputLineBytes + 1)
        #expect(run(long + "\n", step: 4096) == [.note("too long"), done])
    }

    @Test func errorsEndTheReply() {
        #expect(run("\nmore\n") == [.end(exit: 5, code: "not-found", message: "an empty line")])
        #expect(run("", command: "ohce") == [.end(exit: 2, code: "usage", message: "unknown command")])
    }

    /// A reply passes over the wire unchanged.
    @Test func aReplyIsReadAsItWasWritten() {
        let said: [ReplyLine] = [
            .data(Array("{\"a\":1}".utf8)), .note("a\nb"), .progress(.object(["lines": .int(7)])),
            .end(NodeError(.notFound, "nothing")),
        ]
        for line in said { #expect(ReplyLine(line.encoded.dropLast()) == line) }
    }

    /// A command's reply about its changes leaves with the commit. If that fails, the error replaces it, even for a
    /// command that ended in that turn.
    @Test func aFailedCommitTakesTheWordBack() {
        let session = session()
        session.receive(Array("a\n".utf8))
        session.endInput()
        for _ in 0..<5 { session.step(waitingReplyBytes: 0, now: .zero) }
        #expect(session.isEnded)
        session.fail(NodeError(.storageFull, "no room"))
        #expect(take(session) == [.end(exit: 1, code: "storage-full", message: "no room")])
        session.fail(NodeError(.storageFull, "no room"))
        #expect(take(session).isEmpty, "what left is not taken back")
    }

    @Test func aSlowReaderHoldsTheWork() {
        let session = session()
        session.receive(Array("a\n".utf8))
        session.step(waitingReplyBytes: Limits.replyBytes, now: .zero)
        #expect(session.wakeAt == nil)
        session.step(waitingReplyBytes: 0, now: .zero)
        session.step(waitingReplyBytes: 0, now: .zero)
        #expect(!take(session).isEmpty)
    }
}
