import NodeCore
import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct LocalLinkTests {
    private func answer(changesData: Bool, _ failure: NodeError) throws(NodeError) -> String {
        let session = ControlSession { _ throws(NodeError) in
            ControlTask(
                operation: ImmediateOperation(changesData: changesData) { reply, _ in
                    reply.data(.object(["read": .bool(true)]))
                })
        }
        let link = LocalLink(
            session: session, clock: ManualClock(), commit: { () throws(NodeError) in throw failure }, rollback: {})
        session.begin(ControlRequest(command: "any", arguments: [:]))
        var nothing: [UInt8] = []
        return String(decoding: try link.exchange(&nothing) ?? [], as: UTF8.self)
    }

    /// What a reader merges on its way needs room; its answer does not.
    @Test func onAFullDiskWhatWasReadIsToldAndNoChangeIs() throws {
        #expect(try answer(changesData: false, .storageFull).contains("read"))
        #expect(throws: NodeError.self) { try answer(changesData: true, .storageFull) }
        #expect(throws: NodeError.self) { try answer(changesData: false, NodeError(.failed, "damaged")) }
    }
}
