import Glibc
import Node

/// A blocking TCP socket on the loopback interface.
struct PlainSocket {
    let descriptor: Int32
    var port: UInt16 = 0

    static func listening() throws -> PlainSocket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard bound else { throw BenchError("cannot listen on the loopback interface") }
        return PlainSocket(descriptor: descriptor, port: UInt16(bigEndian: address.sin_port))
    }

    static func connected(to port: UInt16) throws -> PlainSocket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: port)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard connected else { throw BenchError("cannot connect to port \(port)") }
        let socket = PlainSocket(descriptor: descriptor, port: port)
        socket.setNoDelay()
        return socket
    }

    func accept() -> PlainSocket? {
        let taken = Glibc.accept(descriptor, nil, nil)
        guard taken >= 0 else { return nil }
        let socket = PlainSocket(descriptor: taken)
        socket.setNoDelay()
        return socket
    }

    func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count, let base = bytes.baseAddress {
                let count = Glibc.send(descriptor, base + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        recv(descriptor, buffer.baseAddress, buffer.count, 0)
    }

    static func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

    func close() { _ = Glibc.close(descriptor) }

    private func setNoDelay() {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
