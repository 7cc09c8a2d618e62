import Glibc

/// The meaning of a text that a terminal shows in colour; the number selects the graphic rendition (ECMA-48, SGR).
package enum Tone: Int, Sendable {
    case plain = 0
    case title = 1
    case bad = 31
    case good = 32
    case warning = 33
}

/// A command's output: standard output for data, standard error for the rest. It uses write(2), which, unlike `print`,
/// loses nothing when the process is killed and keeps the order between the two streams.
package final class Output {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// False once writing is no longer possible: a command may then stop early.
    package private(set) var isOpen = true

    /// The reason, such as a full disk; nil if the reader has gone away (EPIPE), which is not an error.
    package private(set) var failure: FileError?

    /// Returns the failure and clears it: the caller takes over its handling.
    package func takeFailure() -> FileError? {
        defer { failure = nil }
        return failure
    }

    /// The way to call the program, for advice in an answer's text.
    package var program = Program(flag: nil)

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The user wants no colours (https://no-color.org), or the terminal has none.
    private var isPlain = false

    package func heed(_ environment: Environment) {
        isPlain = environment[name: "NO_COLOR"] != nil || environment[name: "TERM"] == "dumb"
    }

    /// The text in a colour, if this is a terminal that shows colours.
    package func painted(_ text: String, _ tone: Tone) -> String {
        tone == .plain || text.isEmpty || isPlain || !isTerminal ? text : "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
    }

    package static func standardOutput() -> Output { Output(descriptor: STDOUT_FILENO) }
    package static func standardError() -> Output { Output(descriptor: STDERR_FILENO) }

    deinit { flush() }

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The width of the terminal in characters; 80 if unknown.
    package var columns: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The underlying file (fstat(2)); nil if it is closed.
    package var identity: (device: UInt64, inode: UInt64)? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? (UInt64(status.st_dev), UInt64(status.st_ino)) : nil
    }

    /// Writes a line immediately.
    package func line(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        buffer.append(UInt8(ascii: "\n"))
        flush()
    }

    /// Writes a sentence immediately; on a terminal it is broken at blanks.
    package func sentence(_ text: String) {
        guard isTerminal, Terminal.width(text) > columns else { return line(text) }
        for part in Terminal.wrapped(text, columns: columns) { line(part) }
    }

    /// Writes an error message immediately, prefixed with the program's name. It may contain names chosen by others.
    package func complaint(_ text: String) { line("kachat-node: " + Terminal.harmless(text, keepingNewlines: true)) }

    /// The complaint that ends a command.
    package func failure(_ text: String) {
        line(painted("kachat-node:", .bad) + " " + Terminal.harmless(text, keepingNewlines: true))
    }

    /// Writes text unchanged and immediately.
    package func raw(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        flush()
    }

    /// Buffers a line; lines are written once 64 KiB are collected, or by `flush()`.
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
