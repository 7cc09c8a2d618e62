import CLinuxShim
import Glibc

/// Paths of unix-domain sockets, and names in the abstract namespace, which start with `@` here and with a zero byte in
/// the kernel.
enum UnixPath {
    /// Passes the path in the kernel's form, which has room for 107 bytes.
    static func withSystemAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        guard !bytes.isEmpty, !bytes.contains(0), bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError(code: ENAMETOOLONG, call: "bind")
        }
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // An abstract name ends where the address does, a path with its zero byte.
        let room = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        let length = isAbstract ? room + bytes.count : MemoryLayout<sockaddr_un>.size
        return try withUnsafeBytes(of: address) { raw throws(SystemError) in
            guard let base = raw.baseAddress else { preconditionFailure("invariant: a sockaddr is not empty") }
            return try body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(length))
        }
    }

    /// Whether something accepts connections at `path`.
    static func isListening(_ path: String) throws(SystemError) -> Bool {
        let descriptor = try System.call("socket") { kachat_stream_socket(AF_UNIX) }
        defer { System.close(descriptor) }
        do throws(SystemError) {
            try withSystemAddress(path) { pointer, length throws(SystemError) in
                _ = try System.call("connect") { connect(descriptor, pointer, length) }
            }
            return true
        } catch {
            switch error.code {
            case ECONNREFUSED, ENOENT: return false
            // The backlog is full, so somebody is listening.
            case EAGAIN: return true
            default: throw error
            }
        }
    }

    /// Device and inode of the socket file at `path`; nil if there is none or it is not a socket.
    static func identity(_ path: String) -> (device: UInt64, inode: UInt64)? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}

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
