import Commands
import Node
import NodeCore
import Transport

/// A command to the node on an event loop, for callers that also listen to something else.
final class LoopCall {
    private let stream: StreamConnection
    private var output = OutputBuffer()
    private var reply = HTTPReply()
    private let heard: (ReplyLine?) -> Void

    /// - Parameter heard: each line of the reply; nil once the connection has ended.
    init(_ request: Invocation, path: String, loop: EventLoop, heard: @escaping (ReplyLine?) -> Void) throws {
        self.heard = heard
        let request = try CommandRequest(request)
        output.append(HTTPReply.request(request, body: request.fixedBody))
        stream = try StreamConnection(connectingToPath: path, on: loop)
        stream.handler = { [unowned self] event, _ in on(event) }
    }

    private func on(_ event: StreamEvent) {
        switch event {
        // A broken connection is reported by its next event.
        case .connected, .writable: _ = try? stream.write(&output)
        case .bytes(let bytes):
            do throws(NodeError) {
                for line in try reply.append(Array(bytes)) { heard(line) }
            } catch {
                heard(.end(error))
            }
        case .endOfInput, .failed:
            stream.close()
            heard(nil)
        }
    }
}
