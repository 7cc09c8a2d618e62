package import NodeCore

/// The source of a connection.
package enum HTTPSource: Hashable, Sendable {
    /// The home's unix socket, which only its owner can open.
    case home
    case network(SocketAddress)
}

/// The head of a request (RFC 9110, RFC 9112).
package struct HTTPRequest: Sendable {
    package let source: HTTPSource
    package let method: String
    /// As in the request line.
    package let target: String
    /// In their order; names in lower case.
    package let headers: [(name: String, value: String)]

    package init(source: HTTPSource, method: String, target: String, headers: [(name: String, value: String)]) {
        self.source = source
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// The only value of that name; nil if there is none, or several, which could contradict each other.
    package func header(_ name: String) -> String? {
        var found: String?
        for header in headers where header.name == name {
            guard found == nil else { return nil }
            found = header.value
        }
        return found
    }

    package func has(_ name: String) -> Bool { headers.contains { $0.name == name } }

    /// The body's size in bytes, if the head gives it; nil for a chunked body.
    package var contentLength: Int? { header("content-length").flatMap { Int($0) } }

    package var hasBody: Bool { has("transfer-encoding") || has("content-length") && contentLength != 0 }

    /// True if a proxy could have read these bytes as another request: the head gives the body's end twice, or a
    /// header's name contains blanks (RFC 9112 §5.1, §6.3).
    var isAmbiguous: Bool {
        let ends = headers.count { ["content-length", "transfer-encoding"].contains($0.name) }
        return ends > 1 || headers.contains { $0.name.contains(where: \.isWhitespace) }
    }
}
