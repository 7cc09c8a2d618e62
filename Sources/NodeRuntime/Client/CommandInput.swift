import Glibc

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
    private var lines = LineBuffer(limit: Limits.controlLineBytes)

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
        var result: [UInt8] = []
        if bytes.isEmpty {
            isEnded = true
            if let rest = lines.rest() { append(rest, to: &result) }
            result.append(contentsOf: "\(ControlInput.endMark)\n".utf8)
        } else {
            lines.append(bytes)
            while let line = lines.next() { append(line, to: &result) }
        }
        return result
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

    /// A line that is too long goes on as one that is refused, without its length; a lone dot gets a blank.
    private func append(_ line: LineBuffer.Line, to result: inout [UInt8]) {
        switch line {
        case .tooLong: result.append(contentsOf: CommandInput.tooLong)
        case .line(let bytes):
            result.append(contentsOf: bytes)
            if bytes == Array(ControlInput.endMark.utf8) { result.append(UInt8(ascii: " ")) }
        }
        result.append(UInt8(ascii: "\n"))
    }

    /// Stands for a line of more than 1 MiB, which is not worth sending.
    static let tooLong = Array("#too-long".utf8)
}
