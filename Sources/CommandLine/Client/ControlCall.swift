import Commands
import JSONLines
import Transport

/// A command to the node, on an event loop: for who has to listen to somebody else meanwhile.
final class ControlCall {
    private let stream: StreamConnection
    private var output = OutputBuffer()
    private var lines = LineBuffer(limit: Commands.Limits.controlLineBytes)
    private let heard: (ControlReplyLine?) -> Void

    /// - Parameter heard: each line of the reply; nil once the connection has ended.
    init(
        _ request: ControlRequest, path: String, loop: EventLoop, heard: @escaping (ControlReplyLine?) -> Void
    ) throws(Transport.SystemError) {
        self.heard = heard
        output.append(request.encoded + [UInt8(ascii: "\n")])
        stream = try StreamConnection(connectingToPath: path, on: loop)
        stream.handler = { [unowned self] event, _ in on(event) }
    }

    private func on(_ event: StreamEvent) {
        switch event {
        // A connection that breaks says so by its next event.
        case .connected, .writable: _ = try? stream.write(&output)
        case .bytes(let bytes):
            lines.append(bytes)
            while let line = lines.next() {
                guard case .line(let text) = line, let said = ControlReplyLine(text) else { continue }
                heard(said)
            }
        case .endOfInput, .failed:
            stream.close()
            heard(nil)
        }
    }
}
