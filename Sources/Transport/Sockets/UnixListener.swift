import CLinuxShim
import Glibc

/// Listens on a unix-domain socket that only its owner may open (mode 0600).
package final class UnixListener {
    package let path: String
    private let listener: StreamListener
    private let identity: (device: UInt64, inode: UInt64)?

    /// Replaces a socket left behind by a crashed process. Throws an error with `isAddressInUse` if somebody listens
    /// there, and leaves anything that is not a socket alone.
    package init(
        path: String, loop: EventLoop, onConnection: @escaping (StreamConnection) -> Void
    ) throws(SystemError) {
        self.path = path
        let descriptor = try System.call("socket") { kachat_stream_socket(AF_UNIX) }
        do throws(SystemError) {
            if UnixPath.identity(path) != nil, try !UnixPath.isListening(path) {
                unlink(path)
            }
            try UnixPath.withSystemAddress(path) { pointer, length throws(SystemError) in
                _ = try System.call("bind") { bind(descriptor, pointer, length) }
            }
            // Before listen(2), so that nobody connects while the umask's mode still applies.
            try System.call("chmod") { chmod(path, 0o600) }
            identity = UnixPath.identity(path)
            listener = try StreamListener(descriptor, on: loop, pace: .atOnce, onConnection: onConnection)
        } catch {
            System.close(descriptor)
            throw error
        }
    }

    deinit {
        close()
    }

    /// Stops listening and removes the socket, unless another process has put its own there.
    package func close() {
        if let identity, let present = UnixPath.identity(path), identity == present {
            unlink(path)
        }
        listener.close()
    }
}
