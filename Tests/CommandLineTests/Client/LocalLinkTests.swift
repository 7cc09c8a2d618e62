import NodeCore
import TestScale
import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct LocalLinkTests {
    private func answer(changesData: Bool, _ failure: NodeError) throws(NodeError) -> String {
        let link = LocalLink(
            clock: ManualClock(), commit: { () throws(NodeError) in throw failure }, rollback: {},
            makeSession: { request in
                CommandSession(request) { _ throws(NodeError) in
                    CommandTask(
                        operation: atOnce(changesData: changesData) { reply, _ in
                            reply.data(.object(["read": .bool(true)]))
                        })
                }
            })
        var said = ""
        try link.run(Invocation(command: "any", arguments: [:]), input: nil) { lines in
            for case .data(let bytes) in lines { said += String(decoding: bytes, as: UTF8.self) }
            return true
        }
        return said
    }

    /// Merging during a read needs room; the read's answer does not.
    @Test func onAFullDiskWhatWasReadIsToldAndNoChangeIs() throws {
        #expect(try answer(changesData: false, .storageFull).contains("read"))
        #expect(throws: NodeError.self) { try answer(changesData: true, .storageFull) }
        #expect(throws: NodeError.self) { try answer(changesData: false, NodeError(.failed, "damaged")) }
    }
}
