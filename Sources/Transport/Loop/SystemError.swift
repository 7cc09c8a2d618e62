import CLinuxShim
import Glibc

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `errno` of the failure.
    package let code: Int32
    /// The call, as in "bind".
    package let call: String

    package init(code: Int32, call: String) {
        self.code = code
        self.call = call
    }

    /// "bind: Address already in use (98)".
    package var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress else { return "\(call): error \(code)" }
            return "\(call): \(String(cString: kachat_error_text(code, base, buffer.count))) (\(code))"
        }
    }

    /// The address, port or path is in use.
    package var isAddressInUse: Bool { code == EADDRINUSE }

    /// Descriptors or memory for sockets are exhausted, which is temporary; it is not a lack of disk or permission.
    package var isOutOfResources: Bool {
        code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM
    }
}
