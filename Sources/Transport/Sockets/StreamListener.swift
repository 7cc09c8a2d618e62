import CLinuxShim
import Glibc
import NodeCore

/// Accepts connections on a listening socket, a bounded number per turn.
final class StreamListener {
    struct Room {
        /// How many of the process's descriptors these connections leave to others.
        var spared = 0
        /// A connection whose descriptor has this number or a higher one is refused: too few are left.
        var firstSpared: Int { System.descriptorLimit - spared }
        /// Sent to a connection for which there is no descriptor, as far as the kernel accepts it at once.
        var refusal: [UInt8] = []
    }

    private let loop: EventLoop
    private let descriptor: Int32
    /// The pace of the listener and of the connections it accepts.
    private let pace: EventLoop.Pace
    private let room: Room
    private let onConnection: (StreamConnection) -> Void
    private var registration: EventLoop.Registration?
    /// A spare descriptor. When descriptors run out it is released for a moment, to accept the waiting connection and
    /// close it; left in the backlog, that connection would wake the loop endlessly.
    private var reserve: Int32?

    /// Starts listening on a bound socket, which it takes over.
    init(
        _ descriptor: Int32, on loop: EventLoop, pace: EventLoop.Pace, room: Room = Room(),
        onConnection: @escaping (StreamConnection) -> Void
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.pace = pace
        self.room = room
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
            guard socket < room.firstSpared else {
                refuse(socket)
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
        if let refused = try? accept() { refuse(refused.socket) }
        reserve = try? Self.openReserve()
    }

    private func refuse(_ socket: Int32) {
        // The connection ends whether or not the text arrives.
        if !room.refusal.isEmpty { _ = room.refusal.withUnsafeBytes { try? System.send(socket, $0) } }
        System.close(socket)
    }

    private func releaseReserve() {
        if let reserve { System.close(reserve) }
        reserve = nil
    }

    private static func openReserve() throws(SystemError) -> Int32 {
        try System.call("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
    }
}
