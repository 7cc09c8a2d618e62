import Glibc
import NodeCore
import Transport

/// Serves the local API inside the node's own program: requests are values instead of bytes on a socket. Confined to
/// the loop's thread.
final class DirectServer: HTTPServer {
    /// Owns this server.
    private unowned let api: APIServer
    private var open: [(request: DirectRequest, exchange: any HTTPExchange)] = []

    init(api: APIServer) { self.api = api }

    /// Nil: requests arrive as jobs of the loop and a reader with room wakes it, and both cause a turn.
    package var deadline: MonotonicTime? { nil }

    /// Closes the connection: this server has no socket.
    package func take(_ descriptor: Int32, from source: HTTPSource) { Glibc.close(descriptor) }

    /// Begins a request. Calls within the program have no connections to share.
    package func begin(_ request: DirectRequest) {
        open.append((request, api.begin(request.head) { _, _ in nil }))
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
