import Commands
import Glibc
import NodeCore
import Transport

/// A connection that the library serves.
final class MicrohttpdConnection {
    let number: ConnectionShares.ID
    let source: HTTPSource
    private let descriptor: Int32
    /// The request whose request line has been read, until its answer is sent.
    weak var request: MicrohttpdRequest?

    init(number: ConnectionShares.ID, descriptor: Int32, source: HTTPSource) {
        self.number = number
        self.descriptor = descriptor
        self.source = source
    }

    /// Sends the reason for closing, as far as the kernel accepts it at once. Only valid if the library has written
    /// nothing since the last answer.
    func refuse(with answer: [UInt8] = HTTPAnswer.busy) {
        // The connection ends whether or not the text arrives.
        _ = answer.withUnsafeBytes { try? System.send(descriptor, $0) }
        end()
    }

    /// The other end has closed. The library does not notice while the connection is suspended.
    var isLeft: Bool {
        // POLLRDHUP, which the headers define only for GNU programs.
        var entry = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Shuts the connection down; the library notices and closes it.
    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        request?.abandon()
    }
}
