import NodeCore
import Testing

@testable import Commands
@testable import Node

@Suite struct ControlSessionTests {
    /// Gives back each line of its input.
    private final class Echo: ControlOperation {
        let changesData = true

        func step(
            input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
        ) throws(NodeError) -> OperationProgress {
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

    private func run(_ text: String, step: Int = 1000) -> [ControlReplyLine] {
        let session = ControlSession { request throws(NodeError) in
            guard request.command == "echo" else { throw NodeError(.usage, "unknown command") }
            return ControlTask(operation: Echo())
        }
        let bytes = Array(text.utf8)
        var replies: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            session.receive(bytes[start..<min(start + step, bytes.count)])
            repeat {
                session.step(waitingReplyBytes: 0, now: .zero)
                replies += session.takeReply()
            } while session.wakeAt != nil
        }
        return replies.split(separator: 0x0A).compactMap { ControlReplyLine(Array($0)) }
    }

    @Test(arguments: [1, 7, 4096]) func aRequestItsInputAndItsEnd(step: Int) {
        let request = String(
            decoding: ControlRequest(command: "echo", arguments: ["--a": ["x", "y"]]).encoded, as: UTF8.self)
        let lines = run(request + "\none\ntwo\n.\n", step: step)
        #expect(
            lines == [
                .data(Array("\"one\"".utf8)), .data(Array("\"two\"".utf8)), .end(exit: 0, code: "done", message: ""),
            ])
    }

    @Test func errorsEndTheReply() {
        let request = String(decoding: ControlRequest(command: "echo", arguments: [:]).encoded, as: UTF8.self)
        #expect(run(request + "\n\nmore\n") == [.end(exit: 5, code: "not-found", message: "an empty line")])
        #expect(run("nonsense\n") == [.end(exit: 1, code: "protocol", message: "the request is no JSON object")])
        #expect(
            run(request.replacing("echo", with: "ohce") + "\n") == [
                .end(exit: 2, code: "usage", message: "unknown command")
            ])
        let other = run(request.replacing("\"protocol\":1", with: "\"protocol\":2") + "\n")
        guard case .end(1, "protocol", _)? = other.first else {
            Issue.record("another version is refused, not \(other)")
            return
        }
    }

    /// What a command says of its changes leaves with the commit; where that fails, the error takes its place, also of
    /// one that was done in that turn.
    @Test func aFailedCommitTakesTheWordBack() {
        let session = ControlSession { _ throws(NodeError) in ControlTask(operation: Echo()) }
        session.receive(ControlRequest(command: "echo", arguments: [:]).encoded + Array("\na\n.\n".utf8))
        for _ in 0..<5 { session.step(waitingReplyBytes: 0, now: .zero) }
        #expect(session.isEnded)
        session.fail(NodeError(.storageFull, "no room"))
        let lines = session.takeReply().split(separator: 0x0A).compactMap { ControlReplyLine(Array($0)) }
        #expect(lines == [.end(exit: 1, code: "storage-full", message: "no room")])
        session.fail(NodeError(.storageFull, "no room"))
        #expect(session.takeReply().isEmpty, "what left is not taken back")
    }

    @Test func aSlowReaderHoldsTheWork() {
        let session = ControlSession { _ throws(NodeError) in ControlTask(operation: Echo()) }
        session.receive(ControlRequest(command: "echo", arguments: [:]).encoded + Array("\na\n".utf8))
        session.step(waitingReplyBytes: Limits.controlReplyBytes, now: .zero)
        #expect(session.wakeAt == nil)
        session.step(waitingReplyBytes: 0, now: .zero)
        session.step(waitingReplyBytes: 0, now: .zero)
        #expect(!session.takeReply().isEmpty)
    }
}
