import CLinuxShim
import Glibc
import NodeCore

/// Accepts connections on a listening socket, a bounded number per turn.
final class StreamListener {
    private let loop: EventLoop
    private let descriptor: Int32
    /// The pace of the listener and of the connections it accepts.
    private let pace: EventLoop.Pace
    /// A connection whose descriptor has this number or a higher one is closed: too few are left.
    private let firstSpared: Int
    private let onConnection: (StreamConnection) -> Void
    private var registration: EventLoop.Registration?
    /// A spare descriptor. When descriptors run out it is released for a moment, to accept the waiting connection and
    /// close it; left in the backlog, that connection would wake the loop endlessly.
    private var reserve: Int32?

    /// Starts listening on a bound socket, which it takes over.
    ///
    /// - Parameter spared: of the process's descriptors, how many its connections leave to others.
    init(
        _ descriptor: Int32, on loop: EventLoop, pace: EventLoop.Pace, spared: Int,
        onConnection: @escaping (StreamConnection) -> Void
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.pace = pace
        firstSpared = System.descriptorLimit - spared
        self.loop = loop
        self.onConnection = onConnection
        reserve = try Self.openReserve()
        try System.call("listen") { listen(descriptor, Limits.listenBacklog) }
        registration = try loop.register(descriptor, interest: .readable, pace: pace) { [weak self] _, _ in
            self?.acceptWaiting()
        }
    }

    deinit {
        close()
        releaseReserve()
    }

    func close() {
        guard let registration else { return }
        self.registration = nil
        loop.deregister(registration)
        System.close(descriptor)
    }

    private func acceptWaiting() {
        for _ in 0..<Limits.acceptsPerTurn {
            guard registration != nil, acceptNext() else { return }
        }
    }

    /// False when no connection is waiting.
    private func acceptNext() -> Bool {
        do throws(SystemError) {
            guard let (socket, remote) = try accept() else { return false }
            guard socket < firstSpared else {
                System.close(socket)
                return true
            }
            onConnection(try StreamConnection(accepted: socket, from: remote, on: loop, pace: pace))
            return true
        } catch {
            guard error.isOutOfResources else { return true }
            refuseNext()
            return false
        }
    }

    private func accept() throws(SystemError) -> (socket: Int32, remote: SocketAddress?)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let socket = try System.callWithoutWaiting("accept") { kachat_accept(descriptor, &storage, &length) }
        return socket.map { ($0, SocketAddress(storage)?.unmapped) }
    }

    private func refuseNext() {
        releaseReserve()
        if let refused = try? accept() { System.close(refused.socket) }
        reserve = try? Self.openReserve()
    }

    private func releaseReserve() {
        if let reserve { System.close(reserve) }
        reserve = nil
    }

    private static func openReserve() throws(SystemError) -> Int32 {
        try System.call("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
    }
}
