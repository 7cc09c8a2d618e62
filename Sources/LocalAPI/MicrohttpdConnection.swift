import Commands
import Glibc
import NodeCore
import Transport

/// A connection that the library serves.
final class MicrohttpdConnection {
    let number: ConnectionShares.ID
    let source: HTTPSource
    private let descriptor: Int32
    /// The one whose line was read, until its answer is out.
    weak var request: MicrohttpdRequest?

    init(number: ConnectionShares.ID, descriptor: Int32, source: HTTPSource) {
        self.number = number
        self.descriptor = descriptor
        self.source = source
    }

    /// Says why it has to go, as far as the kernel takes it at once. Only where the library has written nothing on it.
    func refuse() {
        let answer = HTTPAnswer.busy
        guard case .bytes(let body) = answer.body else { return end() }
        let headers = answer.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = "HTTP/1.1 \(answer.status) Service Unavailable\r\n\(headers)Content-Length: \(body.count)\r\n\r\n"
        let bytes = Array(head.utf8) + body
        // Whether it arrives is all the same: it ends.
        _ = bytes.withUnsafeBytes { try? System.send(descriptor, $0) }
        end()
    }

    /// The other end has closed, which the library does not see while it is suspended.
    var isLeft: Bool {
        // POLLRDHUP, which the headers show to GNU programs only.
        var entry = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// The library sees the end, and closes.
    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        request?.abandon()
    }
}
