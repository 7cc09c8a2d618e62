import Glibc
import NodeCore
import Transport

/// Serves the local API to the program that the node runs in: requests come as values instead of bytes on a socket.
/// Confined to the loop's thread.
final class DirectServer: HTTPServer {
    /// Owns this server.
    private unowned let responder: any HTTPResponder
    private var open: [(request: DirectRequest, exchange: any HTTPExchange)] = []

    init(responder: any HTTPResponder) { self.responder = responder }

    package var connectionCount: Int { open.count }

    /// Requests arrive as jobs of the loop, and a reader that made room wakes it: both bring a turn.
    package var deadline: MonotonicTime? { nil }

    /// Nobody connects: whoever does was sent here by mistake.
    package func take(_ descriptor: Int32, from source: HTTPSource) { Glibc.close(descriptor) }

    /// What the own program asks for has no connections to share.
    package func begin(_ request: DirectRequest) {
        open.append((request, responder.begin(request.head) { _, _ in nil }))
    }

    package func run(now: MonotonicTime) {
        open.removeAll { request, exchange in
            let isOver = request.serve(exchange)
            if isOver { exchange.close() }
            return isOver
        }
    }

    package func stop() {
        for (request, exchange) in open {
            request.cutOff()
            exchange.close()
        }
        open = []
    }
}
