import NodeCore
import Transport

/// One command's connection to the running node.
final class ControlClient {
    package let number: ConnectionShares.ID
    package let session: ControlSession
    private let stream: StreamConnection
    private var output = OutputBuffer()
    /// Something came in, or room for a reply was made, since the last slice.
    private var isDue = false

    init(number: ConnectionShares.ID, stream: StreamConnection, session: ControlSession) {
        self.number = number
        self.stream = stream
        self.session = session
        stream.handler = { [unowned self] event, _ in on(event) }
    }

    /// The last slice was put off, since too much of the reply waited.
    private var isHeld = false

    /// The connection is gone, or all is said and sent.
    package var isOver: Bool { stream.isClosed ? !session.outlivesCaller : session.isEnded && output.isEmpty }

    /// When this client wants a turn although nothing comes in.
    package var deadline: MonotonicTime? { isDue || isReady ? .zero : session.wakeAt }

    /// A slow reader's command is not asked before there is room.
    private var isReady: Bool { !isHeld && session.isReady }

    /// One slice of work, before the turn's commit.
    package func work(now: MonotonicTime) {
        guard !isOver, isDue || isReady || session.wakeAt.map({ $0 <= now }) == true else { return }
        isDue = false
        isHeld = output.count >= Limits.controlReplyBytes
        session.step(waitingReplyBytes: output.count, now: now)
        if !stream.isClosed { stream.setReading(session.wantsInput) }
    }

    /// Sends what the slice said, after the turn's commit.
    package func flush() {
        let reply = session.takeReply()
        guard !stream.isClosed else { return }
        output.append(reply)
        // A broken connection is closed by the write itself; that is all there is to do.
        _ = try? stream.write(&output)
        if isHeld && output.count < Limits.controlReplyBytes { isDue = true }
        if isOver { stream.close() }
    }

    package func close() { stream.close() }

    private func on(_ event: StreamEvent) {
        switch event {
        case .bytes(let bytes):
            session.receive(bytes)
            isDue = true
        case .writable: isDue = true
        // A command that goes before its end has lost interest.
        case .endOfInput: stream.close()
        case .connected, .failed: break
        }
    }
}
