package import Glibc

/// An open file that closes itself. Each method is one system call, retried when interrupted by a signal.
package struct FileDescriptor: ~Copyable {
    package let number: Int32
    package let path: String

    /// open(2), always with `O_CLOEXEC`.
    package init(path: String, flags: Int32, mode: mode_t = 0o600) throws(FileError) {
        let number = retryingInterrupts { open(path, flags | O_CLOEXEC, mode) }
        guard number >= 0 else { throw .last("open", path) }
        self.number = number
        self.path = path
    }

    deinit { close(number) }

    /// fstat(2).
    package func status() throws(FileError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last("fstat", path) }
        return status
    }

    /// fsync(2).
    package func synchronize() throws(FileError) {
        guard retryingInterrupts({ fsync(number) }) == 0 else { throw .last("fsync", path) }
    }

    /// fchmod(2).
    package func setMode(_ mode: mode_t) throws(FileError) {
        guard fchmod(number, mode) == 0 else { throw .last("fchmod", path) }
    }

    /// ftruncate(2).
    func truncate(to size: Int) throws(FileError) {
        guard retryingInterrupts({ ftruncate(number, off_t(size)) }) == 0 else { throw .last("ftruncate", path) }
    }

    /// flock(2), without waiting. Returns false if another process holds the lock.
    func lockExclusively() throws(FileError) -> Bool {
        if retryingInterrupts({ flock(number, LOCK_EX | LOCK_NB) }) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw .last("flock", path) }
        return false
    }

    /// read(2) until the end of the file or `limit` bytes.
    package func readAll(limit: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = bytes.withUnsafeMutableBytes { buffer in
                retryingInterrupts {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    return Glibc.read(number, rest.baseAddress, rest.count)
                }
            }
            guard count >= 0 else { throw .last("read", path) }
            if count == 0 { break }
            filled += count
        }
        bytes.removeSubrange(filled...)
        return bytes
    }

    /// pread(2): `count` bytes from `offset` on, fewer at the end of the file.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let got = retryingInterrupts {
                    pread(number, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
                }
                failed = got < 0
                guard got > 0 else { return }
                filled += got
            }
        }
        guard !failed else { throw .last("pread", path) }
        return bytes
    }

    /// write(2) until all is written.
    package func write(_ bytes: [UInt8]) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retryingInterrupts {
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                    return Glibc.write(number, rest.baseAddress, rest.count)
                }
            }
            guard count >= 0 else { throw .last("write", path) }
            written += count
        }
    }
}

/// Repeats the call while it fails with EINTR (signal(7)).
package func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

/// A failed system call: its name, its `errno`, and what it operated on.
package struct FileError: Error, CustomStringConvertible {
    package let call: String
    package let number: Int32
    package let subject: String

    package init(call: String, number: Int32, subject: String) {
        (self.call, self.number, self.subject) = (call, number, subject)
    }

    /// Reads `errno`, so create it right after the call.
    package static func last(_ call: String, _ subject: String) -> FileError {
        FileError(call: call, number: errno, subject: subject)
    }

    /// There was no room: the call can be repeated when there is.
    package var isOutOfRoom: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

    /// The system's description of the error, such as "Permission denied".
    package var reason: String {
        if number == EBADF { return "it is closed" }
        // glibc returns constant texts for known numbers, so this is thread-safe.
        return strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }

    package var description: String { "\(call) \(subject): \(reason)" }
}
