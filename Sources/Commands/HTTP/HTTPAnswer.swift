import NodeCore

/// The head of an answer, and its body unless that is a stream.
package struct HTTPAnswer: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Read with `HTTPExchange.read`.
        case stream
    }

    package let status: Int
    package var headers: [(name: String, value: String)]
    package let body: Body

    package init(status: Int, headers: [(name: String, value: String)], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(status: Int = 200, type: String, bytes: [UInt8]) {
        self.init(status: status, headers: [("Content-Type", type)], body: .bytes(bytes))
    }

    /// The bytes sent to a connection that must close before its first request.
    package static let busy = Problem.busy.answer.whole

    /// The bytes sent for a request that the HTTP library refuses by its head.
    package static func unreadable(_ request: HTTPRequest) -> [UInt8] { Problem.unreadable(request).answer.whole }

    /// The bytes of a document's answer, for a connection that closes after it.
    package var whole: [UInt8] {
        guard case .bytes(let body) = body else { return [] }
        let headers = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        let line = "HTTP/1.1 \(status) \(Problem.titles[status] ?? "Failed")\r\n"
        return Array("\(line)\(headers)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
}

/// A document's entity tag (RFC 9110 §8.8.3): the hash of its bytes, so equal documents have equal tags.
struct EntityTag {
    /// With its quotes.
    package let text: String

    init(of bytes: [UInt8]) { text = "\"\(Blake2b.hash16(bytes).hex)\"" }

    /// True if `If-None-Match` names it (RFC 9110 §13.1.2: weak comparison).
    func matches(_ header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { part in
            let tag = part.drop { $0 == " " }
            return tag == "*" || (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag).prefix { $0 != " " } == text
        }
    }
}
