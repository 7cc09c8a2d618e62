import CLinuxShim
import CMicrohttpd
import CMicrohttpdShim
package import Commands
import Glibc
package import Node
package import NodeCore
package import Transport

/// Runs libmicrohttpd on the node's own loop and thread: the loop watches its epoll descriptor and runs it when that is
/// ready. A request without an answer yet is suspended, and resumed when its exchange wakes.
package final class MicrohttpdServer: HTTPServer {
    private let api: APIServer
    private let loop: EventLoop
    private let daemon: OpaquePointer
    private var registration: EventLoop.Registration?
    /// Data has arrived or an answer is ready since the last run.
    private var isDue = false
    /// Connections by a number that is never reused.
    private var connections: [ConnectionShares.ID: MicrohttpdConnection] = [:]
    private var nextNumber: ConnectionShares.ID = 0
    /// Limits which connections may stay open, separately for the port and the socket.
    private var portShares = ConnectionShares(.port(descriptors: System.descriptorsForConnections))
    private var homeShares = ConnectionShares(.home)
    /// The source of the connection being taken over, for the library's callback.
    private var arriving: HTTPSource?
    private var now = MonotonicTime.zero

    package init(loop: EventLoop, api: APIServer) throws(NodeError) {
        self.loop = loop
        self.api = api
        // The library needs this object's address before initialisation is complete.
        let place = UnsafeMutablePointer<Unmanaged<MicrohttpdServer>?>.allocate(capacity: 1)
        place.initialize(to: nil)
        let callbacks = UnsafeMutablePointer<kachat_http_callbacks>.allocate(capacity: 1)
        callbacks.initialize(
            to: kachat_http_callbacks(
                handle: handleRequest, begin: beginRequest, completed: completeRequest, connection: noteConnection,
                report: noteReport, context: place))
        guard
            let daemon = kachat_http_start(
                callbacks,
                UInt32(portShares.capacity.all + homeShares.capacity.all + Limits.closingConnections),
                UInt32(Limits.writeStallSeconds), Limits.connectionBytes)
        else {
            callbacks.deallocate()
            place.deallocate()
            throw NodeError(.failed, "the HTTP library cannot be started")
        }
        self.daemon = daemon
        (self.place, self.callbacks) = (place, callbacks)
        place.pointee = Unmanaged.passUnretained(self)
        do {
            registration = try loop.register(kachat_http_descriptor(daemon), interest: .readable) {
                [unowned self] _, _ in isDue = true
            }
        } catch {
            MHD_stop_daemon(daemon)
            throw NodeError(.failed, "the HTTP library cannot be watched: \(error)")
        }
    }

    private let place: UnsafeMutablePointer<Unmanaged<MicrohttpdServer>?>
    private let callbacks: UnsafeMutablePointer<kachat_http_callbacks>

    deinit {
        stop()
        callbacks.deallocate()
        place.deallocate()
    }

    package var deadline: MonotonicTime? {
        guard registration != nil else { return nil }
        if isDue { return .zero }
        return [portShares.deadline, homeShares.deadline, libraryDeadline].compactMap(\.self).min()
    }

    private var libraryDeadline: MonotonicTime? {
        var milliseconds: UInt64 = 0
        guard MHD_get_timeout(daemon, &milliseconds) == .YES else { return nil }
        return now + .milliseconds(Int64(clamping: milliseconds))
    }

    package func take(_ descriptor: Int32, from source: HTTPSource) {
        guard registration != nil else { return System.close(descriptor) }
        arriving = source
        defer { arriving = nil }
        // Only the library's log and its per-address limits would read this address.
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                // On failure the library has already closed the socket.
                _ = MHD_add_connection(daemon, descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        isDue = true
    }

    package func run(now: MonotonicTime) {
        self.now = now
        guard registration != nil else { return }
        for order in portShares.look(now) + homeShares.look(now) { carryOut(order) }
        guard isDue || libraryDeadline.map({ $0 <= now }) == true else { return }
        // The round that ends an answer has not yet looked for the next request. Leaving that undone would cost the
        // node a whole turn of its own.
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

    private func carryOut(_ order: ConnectionShares.Order) {
        switch order {
        case .refuse(let number): connections[number]?.refuse()
        case .end(let number): connections[number]?.end()
        }
        isDue = true
    }

    /// Updates the shares of the connection's door.
    private func tell<Answer>(
        _ connection: MicrohttpdConnection, _ body: (inout ConnectionShares, ConnectionShares.ID) -> Answer
    ) -> Answer {
        connection.source == .home ? body(&homeShares, connection.number) : body(&portShares, connection.number)
    }

    fileprivate func open(_ connection: OpaquePointer) -> MicrohttpdConnection {
        nextNumber += 1
        let made = MicrohttpdConnection(
            number: nextNumber, descriptor: kachat_http_socket(connection), source: arriving ?? .home)
        connections[made.number] = made
        if let order = tell(made, { $0.open($1) }) { carryOut(order) }
        return made
    }

    fileprivate func close(_ connection: MicrohttpdConnection) {
        connections[connection.number] = nil
        tell(connection) { $0.close($1) }
    }

    // MARK: Requests

    /// Called when the whole head has been read.
    fileprivate func begin(_ request: MicrohttpdRequest, method: String) -> MHD_Result {
        let connection = request.connection
        request.wantsHead = method == "HEAD"
        tell(connection) { $0.beginRequest($1) }
        let head = HTTPRequest(
            source: connection.source, method: method, target: request.target, headers: request.headers())
        let exchange = api.begin(head) { holder, isLasting in claim(connection, for: holder, isLasting: isLasting)
        }
        exchange.wake = { [unowned self, unowned request] in
            guard request.wake() else { return }
            isDue = true
            if !request.isBodyOver { tell(request.connection) { $0.expectBody($1, now: now) } }
        }
        request.exchange = exchange
        guard head.hasBody else { return .YES }
        // A client of the socket that writes head and body apart would fail at the body of a refused request, and not
        // see why: a small one is read. Otherwise the connection is closed: a body that never ends must hold no place.
        let isSmall = !head.has("transfer-encoding") && head.contentLength ?? .max <= Limits.refusedBodyBytes
        let isRead =
            exchange.answer.map { connection.source == .home && isSmall && $0.status != 429 } ?? true
        if isRead { tell(connection) { $0.expectBody($1, now: now) } }
        return isRead ? .YES : request.answerIfReady(orSuspend: false)
    }

    private func claim(_ connection: MicrohttpdConnection, for holder: HTTPHolder, isLasting: Bool) -> HTTPRefusal? {
        var claim = tell(connection) { $0.claim($1, for: holder, isLasting: isLasting) }
        if case .refused = claim, dropLeft() {
            claim = tell(connection) { $0.claim($1, for: holder, isLasting: isLasting) }
        }
        switch claim {
        case .refused(let refusal): return refusal
        case .granted(let ending):
            if let ending { carryOut(.end(ending)) }
            return nil
        }
    }

    /// Frees the places of connections whose other end has gone; false if there are none.
    private func dropLeft() -> Bool {
        let left = connections.values.filter { $0.request != nil && $0.isLeft }
        for connection in left {
            tell(connection) { $0.close($1) }
            carryOut(.end(connection.number))
        }
        return !left.isEmpty
    }

    /// Answers a request that the library refuses for what its whole head says, in its stead: it would write the head
    /// of its own answer twice (up to 0.9.77).
    fileprivate func refuse() {
        for connection in connections.values {
            guard let request = connection.request, request.isRefused else { continue }
            let head = HTTPRequest(
                source: connection.source, method: "", target: request.target, headers: request.headers())
            connection.refuse(with: HTTPAnswer.unreadable(head))
        }
    }

    /// Passes body bytes on and returns how many were accepted.
    fileprivate func receive(_ bytes: UnsafeRawBufferPointer, for request: MicrohttpdRequest) -> Int {
        let taken = request.receive(bytes)
        tell(request.connection) { shares, number in
            // Bytes that are not accepted wait for this node, not for the other end.
            taken == 0 ? shares.endBody(number) : shares.receiveBody(number, bytes: taken, now: now)
        }
        return taken
    }

    fileprivate func endBody(of request: MicrohttpdRequest) -> MHD_Result {
        tell(request.connection) { $0.endBody($1) }
        request.endBody()
        return request.answerIfReady(orSuspend: true)
    }

    fileprivate func complete(_ request: MicrohttpdRequest) {
        request.connection.request = nil
        tell(request.connection) { $0.endRequest($1, now: now) }
        request.close()
    }
}

/// The server behind the library's context pointer.
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

private func noteReport(context: UnsafeMutableRawPointer?) { server(context)?.refuse() }

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
    guard request.exchange != nil else { return server.begin(request, method: String(cString: method)) }
    if bodyCount.pointee > 0 {
        let bytes = UnsafeRawBufferPointer(start: body, count: bodyCount.pointee)
        bodyCount.pointee -= server.receive(bytes, for: request)
        return .YES
    }
    return server.endBody(of: request)
}

private func completeRequest(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
    guard let server = server(context), let slot, let pointer = slot.pointee else { return }
    slot.pointee = nil
    server.complete(Unmanaged<MicrohttpdRequest>.fromOpaque(pointer).takeRetainedValue())
}
