import Commands
import KaChatClient

/// The body of an answer from the in-process node.
final class InProcessBody: NodeBody {
    private let request: DirectRequest

    init(_ request: DirectRequest) { self.request = request }

    deinit { request.leave() }

    func next() async throws(ClientError) -> [UInt8]? {
        if case .bytes(let bytes) = try await part() { bytes } else { nil }
    }

    /// The next part of the answer.
    func part() async throws(ClientError) -> DirectRequest.Part {
        let part = await request.next()
        switch part {
        case .cutOff: throw ClientError(.notReachable, "the node was stopped")
        case .cancelled: throw ClientError(.cancelled, "the task was cancelled")
        case .head, .bytes, .end: return part
        }
    }
}
