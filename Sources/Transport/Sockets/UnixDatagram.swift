import CLinuxShim
import Glibc

/// Sends a datagram to a program that listens on a unix-domain socket.
package enum UnixDatagram {
    /// Sends one datagram without waiting for room: if the reader is too slow, this throws.
    ///
    /// - Parameter address: a path, or after `@` a name in Linux's abstract namespace (unix(7)).
    package static func send(_ text: String, to address: String) throws(SystemError) {
        let descriptor = try System.call("socket") { kachat_datagram_socket(AF_UNIX) }
        defer { System.close(descriptor) }
        try UnixPath.withSystemAddress(address) { pointer, length throws(SystemError) in
            _ = try System.call("connect") { connect(descriptor, pointer, length) }
        }
        let bytes = Array(text.utf8)
        _ = try System.call("send") { bytes.withUnsafeBytes { kachat_send(descriptor, $0.baseAddress, $0.count) } }
    }
}
