import Node
package import NodeCore
import Transport

/// What the local API needs of an HTTP library: it reads requests off connected sockets and writes the answers. It
/// belongs to the loop's thread, and calls its responder from `run` only.
package protocol HTTPServer: AnyObject {
    /// Connections that are open.
    var connectionCount: Int { get }

    /// When it wants to run; nil: only when something comes in.
    var deadline: MonotonicTime? { get }

    /// Takes over a connected, non-blocking socket, which it closes in the end.
    func take(_ descriptor: Int32, from source: HTTPSource)

    /// Reads what came in, and writes what the answers have ready, if there is either.
    func run(now: MonotonicTime)

    /// Closes all connections. The exchanges under way hear `close`.
    func stop()
}

/// Who answers requests.
package protocol HTTPResponder: AnyObject {
    /// The head of a request is here; its body, if it has one, is given to the exchange.
    ///
    /// - Parameter admit: asked once the request is known to be somebody's, before anything is done for it. What it
    ///   refuses gets an answer that says so.
    func begin(
        _ request: HTTPRequest, admit: (_ holder: HTTPHolder, _ isLasting: Bool) -> HTTPRefusal?
    ) -> any HTTPExchange
}

/// Whose a request is: what one of them has in use is counted together.
package enum HTTPHolder: Hashable, Sendable {
    /// Whoever opens the home's socket.
    case owner
    /// By the token's id.
    case token(String)
}

/// Why a request finds no place.
package enum HTTPRefusal: Equatable, Sendable {
    /// Its holder has all of its connections in use.
    case share(Int)
    /// Its holder has as many streams as it may.
    case lasting(Int)
    /// All places are taken, by several holders.
    case all
}

/// One request and its answer. Whoever answers sets the answer when it is known, and wakes the server.
package protocol HTTPExchange: AnyObject {
    /// Nil while the request is in work. Once set it stays.
    var answer: HTTPAnswer? { get }

    /// Called by who answers when there is an answer, more of a stream, or room for the request's body again.
    var wake: () -> Void { get set }

    /// Takes bytes of the request's body and tells how many; the rest is offered again after `wake`.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int

    /// The whole body was given.
    func endBody()

    /// Moves the next bytes of a stream to the buffer and tells how many; 0 where none wait, nil at its end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?

    /// The answer is out, or nobody waits for it any more.
    func close()
}

/// An exchange whose answer is known from the request's head. Its body is not looked at.
final class FixedExchange: HTTPExchange {
    package let answer: HTTPAnswer?
    package var wake: () -> Void = {}

    init(_ answer: HTTPAnswer) { self.answer = answer }

    package func receive(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.count }
    package func endBody() {}
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? { nil }
    package func close() {}
}
