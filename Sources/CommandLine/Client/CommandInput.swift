import Commands
import Glibc
import Node

/// The lines that a command sends behind its request: a file, an archive, or standard input.
struct CommandInput: ~Copyable {
    /// In place of the file.
    private let archive: ArchiveLines?
    /// Keeps the descriptor open; nil for standard input.
    private let file: FileDescriptor?
    private let descriptor: Int32
    private var isEnded = false
    /// For messages.
    private let name: String
    private var hasRead = false
    private var lines = InputLines()

    /// `-` is standard input.
    init(path: String, archive: ArchiveLines? = nil) throws(NodeError) {
        self.archive = archive
        name = path == "-" ? "standard input" : path
        guard path != "-" else {
            file = nil
            descriptor = STDIN_FILENO
            return
        }
        do {
            let opened = try FileDescriptor(path: path, flags: O_RDONLY)
            descriptor = opened.number
            file = consume opened
        } catch {
            throw NodeError(.failed, "cannot read \(path): \(error.reason)")
        }
    }

    /// The next bytes to send, complete lines only; the end mark is the last of them, and nil follows it.
    mutating func next() throws(NodeError) -> [UInt8]? {
        guard !isEnded else { return nil }
        let bytes = if let archive { try archive.next() ?? [] } else { try readBytes() }
        isEnded = bytes.isEmpty
        return isEnded ? lines.end() : lines.take(bytes)
    }

    private mutating func readBytes() throws(NodeError) -> [UInt8] {
        var number: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Limits.controlReadBytes) { buffer, count in
            let got = retryingInterrupts { read(descriptor, buffer.baseAddress, buffer.count) }
            number = got < 0 ? errno : 0
            count = max(0, got)
        }
        guard number == 0 else {
            throw NodeError(
                .failed, "cannot read \(name): \(FileError(call: "read", number: number, subject: name).reason)")
        }
        if !hasRead { try Self.checkText(bytes, name) }
        hasRead = true
        return bytes
    }

    /// Lines of JSON have no zero bytes. What is no text is refused as a whole, not line by line.
    private static func checkText(_ bytes: [UInt8], _ name: String) throws(NodeError) {
        if ContainerFormat.skippableSize(bytes[...], number: 0) != nil {
            throw NodeError(.badInput, "\(name) is an archive or a backup: give the file itself, as FILE")
        }
        guard !bytes.contains(0) else {
            throw NodeError(.badInput, "\(name) is neither an archive nor a file of JSON lines")
        }
    }
}
