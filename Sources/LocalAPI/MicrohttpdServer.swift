import CLinuxShim
import CMicrohttpd
import CMicrohttpdShim
import Glibc
package import NodeCore
package import NodeRuntime
package import Transport

/// libmicrohttpd on the node's own loop and thread: its epoll descriptor is watched by the loop, and it runs when that
/// is ready. A request whose answer is not known yet is suspended, and resumed when its exchange wakes.
package final class MicrohttpdServer: HTTPServer {
    private let responder: any HTTPResponder
    private let loop: EventLoop
    private let daemon: OpaquePointer
    private var registration: EventLoop.Registration?
    /// Something came in, or an answer has something ready, since the last run.
    private var isDue = false
    /// By a number that no two connections share; looked through when one may be over time.
    private var connections: [UInt64: MicrohttpdConnection] = [:]
    /// Those that came since the last run, which tells them the time.
    private var arrived: [MicrohttpdConnection] = []
    private var nextNumber: UInt64 = 0
    private var nextLook: MonotonicTime?
    /// Of the connection that is being taken over, for the library's callback.
    private var arriving: HTTPSource?
    private var now = MonotonicTime.zero

    package init(loop: EventLoop, responder: any HTTPResponder) throws(NodeError) {
        self.loop = loop
        self.responder = responder
        // The library is told where this object is before it is whole.
        let place = UnsafeMutablePointer<Unmanaged<MicrohttpdServer>?>.allocate(capacity: 1)
        place.initialize(to: nil)
        var callbacks = kachat_http_callbacks(
            handle: handleRequest, begin: beginRequest, completed: completeRequest, connection: noteConnection,
            context: place)
        guard
            let daemon = kachat_http_start(
                &callbacks, UInt32(Limits.connections + Limits.homeConnections + 1),
                UInt32(Limits.writeStallSeconds), Limits.connectionBytes)
        else {
            place.deallocate()
            throw NodeError(.failed, "the HTTP library does not start")
        }
        self.daemon = daemon
        self.place = place
        place.pointee = Unmanaged.passUnretained(self)
        do {
            registration = try loop.register(kachat_http_descriptor(daemon), interest: .readable) {
                [unowned self] _, _ in
                isDue = true
            }
        } catch {
            MHD_stop_daemon(daemon)
            throw NodeError(.failed, "the HTTP library cannot be watched: \(error)")
        }
    }

    private let place: UnsafeMutablePointer<Unmanaged<MicrohttpdServer>?>

    deinit {
        stop()
        place.deallocate()
    }

    package var connectionCount: Int { connections.count }

    package var deadline: MonotonicTime? {
        guard registration != nil else { return nil }
        if isDue { return .zero }
        return [nextLook, libraryDeadline].compactMap(\.self).min()
    }

    private var libraryDeadline: MonotonicTime? {
        var milliseconds: UInt64 = 0
        guard MHD_get_timeout(daemon, &milliseconds) == .YES else { return nil }
        return now + .milliseconds(Int64(clamping: milliseconds))
    }

    package func take(_ descriptor: Int32, from source: HTTPSource) {
        guard registration != nil, hasRoom(for: source) else { return System.close(descriptor) }
        arriving = source
        defer { arriving = nil }
        // Only the library's log and its limits by address would look at this one.
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                // Where this fails the library has closed the socket.
                _ = MHD_add_connection(daemon, descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        isDue = true
    }

    private func hasRoom(for source: HTTPSource) -> Bool {
        let home = connections.values.count { $0.source == .home }
        return source == .home
            ? home < Limits.homeConnections : connections.count - home < Limits.connections
    }

    package func run(now: MonotonicTime) {
        self.now = now
        guard registration != nil else { return }
        for connection in arrived { expectRequest(from: connection) }
        arrived = []
        if let nextLook, nextLook <= now { dropLate() }
        guard isDue || libraryDeadline.map({ $0 <= now }) == true else { return }
        // A round that ends an answer has not looked yet whether the next request is here. What it leaves undone would
        // be a turn of the node of its own, with nothing in it for anybody else.
        var rounds = 0
        repeat {
            isDue = false
            MHD_run(daemon)
            rounds += 1
        } while rounds < Limits.rounds && (isDue || hasMore)
    }

    private var hasMore: Bool {
        var milliseconds: UInt64 = 0
        return MHD_get_timeout(daemon, &milliseconds) == .YES && milliseconds == 0
    }

    package func stop() {
        guard let registration else { return }
        self.registration = nil
        loop.deregister(registration)
        for connection in connections.values { connection.request?.abandon() }
        MHD_stop_daemon(daemon)
    }

    // MARK: Connections

    /// Ends those that take too long for a request: who sends a byte now and then would keep one for ever.
    private func dropLate() {
        for connection in connections.values where connection.isLate(now) {
            // The library sees the end, and closes.
            shutdown(connection.descriptor, Int32(SHUT_RDWR))
            isDue = true
        }
        nextLook = connections.isEmpty ? nil : now + Limits.lookInterval
    }

    fileprivate func open(_ connection: OpaquePointer) -> MicrohttpdConnection {
        nextNumber += 1
        let made = MicrohttpdConnection(
            number: nextNumber, descriptor: kachat_http_socket(connection), source: arriving ?? .home)
        connections[made.number] = made
        arrived.append(made)
        return made
    }

    /// The next request is to come within a bounded time.
    private func expectRequest(from connection: MicrohttpdConnection) {
        connection.deadline = now + Limits.requestTime
        if nextLook == nil { nextLook = now + Limits.lookInterval }
    }

    fileprivate func close(_ connection: MicrohttpdConnection) { connections[connection.number] = nil }

    // MARK: Requests

    /// The whole head is here.
    fileprivate func begin(_ request: MicrohttpdRequest, method: String) -> MHD_Result {
        request.connection.deadline = nil
        let head = HTTPRequest(
            source: request.connection.source, method: method, target: request.target, headers: request.headers())
        let exchange = responder.begin(head)
        exchange.wake = { [unowned self, unowned request] in
            guard request.wake() else { return }
            isDue = true
        }
        request.exchange = exchange
        // What is refused has its body not read, and its connection closed; without a body it goes on.
        return head.hasBody ? request.answerIfReady(orSuspend: false) : .YES
    }

    fileprivate func complete(_ request: MicrohttpdRequest) {
        request.connection.request = nil
        expectRequest(from: request.connection)
        request.close()
    }
}

/// The server that the library's context leads to.
private func server(_ context: UnsafeMutableRawPointer?) -> MicrohttpdServer? {
    context?.assumingMemoryBound(to: Unmanaged<MicrohttpdServer>?.self).pointee?.takeUnretainedValue()
}

private func noteConnection(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_ConnectionNotificationCode
) {
    guard let server = server(context), let connection, let slot else { return }
    if code == .CONNECTION_NOTIFY_STARTED {
        slot.pointee = Unmanaged.passRetained(server.open(connection)).toOpaque()
    } else if let pointer = slot.pointee {
        slot.pointee = nil
        server.close(Unmanaged<MicrohttpdConnection>.fromOpaque(pointer).takeRetainedValue())
    }
}

private func beginRequest(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let connection, let target, let pointer = kachat_http_socket_context(connection) else { return nil }
    let owner = Unmanaged<MicrohttpdConnection>.fromOpaque(pointer).takeUnretainedValue()
    let request = MicrohttpdRequest(handle: connection, connection: owner, target: String(cString: target))
    owner.request = request
    return Unmanaged.passRetained(request).toOpaque()
}

private func handleRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, body: UnsafePointer<CChar>?,
    bodyCount: UnsafeMutablePointer<Int>?, slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let server = server(context), let pointer = slot?.pointee, let method, let bodyCount else { return .NO }
    let request = Unmanaged<MicrohttpdRequest>.fromOpaque(pointer).takeUnretainedValue()
    guard request.exchange != nil else {
        return server.begin(request, method: String(cString: method))
    }
    if bodyCount.pointee > 0 {
        let bytes = UnsafeRawBufferPointer(start: body, count: bodyCount.pointee)
        bodyCount.pointee -= request.receive(bytes)
        return .YES
    }
    request.endBody()
    return request.answerIfReady(orSuspend: true)
}

private func completeRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
    guard let server = server(context), let slot, let pointer = slot.pointee else { return }
    slot.pointee = nil
    server.complete(Unmanaged<MicrohttpdRequest>.fromOpaque(pointer).takeRetainedValue())
}
