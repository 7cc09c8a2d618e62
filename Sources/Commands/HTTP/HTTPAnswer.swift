/// The head of an answer, and its body where that is known as a whole.
package struct HTTPAnswer: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Read by `HTTPExchange.read` as it comes.
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

    /// A document of the given type.
    init(status: Int = 200, type: String, bytes: [UInt8]) {
        self.init(status: status, headers: [("Content-Type", type)], body: .bytes(bytes))
    }

    /// For a connection that has to go before it said anything.
    package static let busy = Problem.busy.answer
}
