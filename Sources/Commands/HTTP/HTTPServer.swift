import Node
package import NodeCore
import Transport

/// The HTTP library behind the local API: reads requests from connected sockets and writes the answers. It belongs to
/// the loop's thread, and calls the API from `run` only.
package protocol HTTPServer: AnyObject {
    /// The time for the next `run` without new input; nil for none.
    var deadline: MonotonicTime? { get }

    /// Takes ownership of a connected, non-blocking socket.
    func take(_ descriptor: Int32, from source: HTTPSource)

    /// Reads available input and writes available output.
    func run(now: MonotonicTime)

    /// Closes all connections and calls `close` on their exchanges.
    func stop()
}

/// The holder of a request; all connections of one holder count against one share.
package enum HTTPHolder: Hashable, Sendable {
    /// The user of the home's socket.
    case owner
    /// By the token's id.
    case token(String)
}

/// The reason that a request finds no place.
package enum HTTPRefusal: Equatable, Sendable {
    /// Its holder uses all of its connections.
    case share(Int)
    /// Its holder has the maximum number of streams.
    case lasting(Int)
    /// All places are taken by several holders.
    case all
}

/// One request and its answer. The API sets the answer once it is known, and wakes the server.
package protocol HTTPExchange: AnyObject {
    /// Nil while the request is at work; never changes once set.
    var answer: HTTPAnswer? { get }

    /// The API calls this when there is an answer, more of a stream, or room for the request's body again.
    var wake: () -> Void { get set }

    /// Takes bytes of the request's body and returns their number; the rest is offered again after `wake`.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int

    /// The body is complete.
    func endBody()

    /// Moves the next bytes of a stream to the buffer and returns their number: 0 if none wait, nil at its end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?

    /// The answer is out, or its reader has gone.
    func close()
}

/// An exchange whose answer is known from the request's head. Ignores the body.
final class FixedExchange: HTTPExchange {
    package let answer: HTTPAnswer?
    package var wake: () -> Void = {}

    init(_ answer: HTTPAnswer) { self.answer = answer }

    package func receive(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.count }
    package func endBody() {}
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? { nil }
    package func close() {}
}
