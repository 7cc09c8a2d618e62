import Glibc

/// Where a command's words go: standard output for data, standard error for the rest, by write(2), which, unlike
/// `print`, loses nothing when the process is killed and orders the two streams as they were written.
package final class Output {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// False once nothing can be written any more: a command may then stop early.
    package private(set) var isOpen = true

    /// Why that is, such as a full disk; nil where the reader has gone away (EPIPE), who then has what he wanted.
    package private(set) var failure: FileError?

    /// The failure, which from now on is the caller's affair and no longer the command's.
    package func takeFailure() -> FileError? {
        defer { failure = nil }
        return failure
    }

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    package static func standardOutput() -> Output { Output(descriptor: STDOUT_FILENO) }
    package static func standardError() -> Output { Output(descriptor: STDERR_FILENO) }

    deinit { flush() }

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// How many characters a line of the terminal has; 80 where it does not say.
    package var columns: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The file behind it (fstat(2)); nil where it is closed.
    package var identity: (device: UInt64, inode: UInt64)? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? (UInt64(status.st_dev), UInt64(status.st_ino)) : nil
    }

    /// Writes a line at once.
    package func line(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        buffer.append(UInt8(ascii: "\n"))
        flush()
    }

    /// Writes at once what went wrong, and whose word that is. Names that others chose may be part of it.
    package func complaint(_ text: String) { line("kachat-node: " + Terminal.harmless(text, keepingNewlines: true)) }

    /// Writes text as it is, at once.
    package func raw(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        flush()
    }

    /// Collects a line; it is written with others once 64 KiB are there, or by `flush()`.
    package func bufferedLine(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= 64 << 10 { flush() }
    }

    package func flush() {
        var written = 0
        while isOpen && written < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                retryingInterrupts {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                    return write(descriptor, rest.baseAddress, rest.count)
                }
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = Glibc.poll(&poll, 1, -1)
            } else {
                if errno != EPIPE { failure = .last("write", "the output") }
                isOpen = false
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
