import CLinuxShim
import Glibc

/// Makes system calls whose failure matters: an interrupted call is repeated, a bad descriptor traps (it is our own
/// mistake and would soon hit another file), and any other failure is thrown with its errno.
package enum System {
    /// Calls `body`, where -1 means failure.
    @discardableResult
    @inline(__always)
    package static func call<Result: SignedInteger>(
        _ name: StaticString, _ body: () -> Result
    ) throws(SystemError) -> Result {
        while true {
            let result = body()
            guard result == -1 else { return result }
            let code = errno
            if code == EINTR { continue }
            precondition(code != EBADF, "invariant: the descriptor is open")
            throw SystemError(code: code, call: name.description)
        }
    }

    /// The same for non-blocking calls; nil if the call would block.
    @inline(__always)
    package static func callWithoutWaiting<Result: SignedInteger>(
        _ name: StaticString, _ body: () -> Result
    ) throws(SystemError) -> Result? {
        do {
            return try call(name, body)
        } catch {
            guard error.code == EAGAIN || error.code == EWOULDBLOCK else { throw error }
            return nil
        }
    }

    /// close(2): never repeated, since Linux frees the descriptor even when it reports an interruption.
    package static func close(_ descriptor: Int32) {
        let result = Glibc.close(descriptor)
        precondition(result == 0 || errno != EBADF, "invariant: a descriptor is closed once")
    }

    /// How many descriptors this process may have (RLIMIT_NOFILE). Their numbers are below it, since each new one gets
    /// the lowest that is free.
    package static var descriptorLimit: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    /// Those that the node does not need for itself.
    package static var descriptorsForConnections: Int { max(0, descriptorLimit - Limits.ownDescriptors) }

    /// Ignores SIGPIPE in the whole process, so that writing to a closed socket returns an error instead of ending the
    /// program.
    package static func ignoreBrokenPipes() {
        kachat_ignore_broken_pipes()
    }

    /// Makes malloc return buffers of 256 KiB and more to the system when they are freed. By default glibc raises that
    /// bound to the largest buffer it has seen, and keeps smaller ones in a heap that only grows.
    package static func returnLargeBuffers() {
        kachat_return_large_buffers(256 << 10)
    }

    /// Bytes received; 0 at the end of the stream; nil if none are waiting.
    package static func receive(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int? {
        try callWithoutWaiting("recv") { kachat_receive(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Bytes accepted by the kernel; nil if its buffer is full.
    package static func send(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer
    ) throws(SystemError) -> Int? {
        try callWithoutWaiting("send") { kachat_send(descriptor, bytes.baseAddress, bytes.count) }
    }

    package static func setOption(
        _ descriptor: Int32, level: Int32, name: Int32, to value: Int32
    ) throws(SystemError) {
        try call("setsockopt") { kachat_set_option(descriptor, level, name, value) }
    }

    package static func option(_ descriptor: Int32, level: Int32, name: Int32) throws(SystemError) -> Int32 {
        var value: Int32 = 0
        try call("getsockopt") { kachat_get_option(descriptor, level, name, &value) }
        return value
    }
}

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `errno` of the failure.
    package let code: Int32
    /// The call, as in "bind".
    package let call: String

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
