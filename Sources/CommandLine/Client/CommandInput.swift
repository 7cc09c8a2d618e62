import Commands
import Glibc
import Node

/// The input of a command: lines from a file, an archive or standard input.
struct CommandInput: ~Copyable {
    /// Read instead of the file.
    private let archive: ArchiveLines?
    /// Keeps the descriptor open; nil for standard input.
    private let file: FileDescriptor?
    private let descriptor: Int32
    private var isEnded = false
    /// Used in messages.
    private let name: String
    private var hasRead = false
    private let meter: InputMeter?
    private var lines = LineBuffer(limit: Commands.Limits.inputLineBytes)

    /// `-` is standard input.
    init(path: String, archive: ArchiveLines? = nil, meter: InputMeter? = nil) throws(NodeError) {
        self.archive = archive
        self.meter = meter
        name = path == "-" ? "standard input" : path
        guard path != "-" else {
            file = nil
            descriptor = STDIN_FILENO
            meter?.all = Self.size(of: descriptor)
            return
        }
        do {
            let opened = try FileDescriptor(path: path, flags: O_RDONLY)
            descriptor = opened.number
            file = consume opened
            meter?.all = archive?.bytes ?? Self.size(of: descriptor)
        } catch {
            throw NodeError(.failed, "cannot read \(path): \(error.reason)")
        }
    }

    /// Nil for anything but a plain file.
    private static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// The next bytes, split anywhere; nil at the end.
    mutating func next() throws(NodeError) -> [UInt8]? {
        guard !isEnded else { return nil }
        let bytes = if let archive { try archive.next() ?? [] } else { try readBytes() }
        meter?.done = archive?.readBytes ?? (meter?.done ?? 0) + bytes.count
        isEnded = bytes.isEmpty
        return isEnded ? nil : bytes
    }

    /// The whole input.
    mutating func whole() throws(NodeError) -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = try next() {
            all += bytes
            guard all.count <= Commands.Limits.httpBodyBytes else {
                throw NodeError(.badInput, "\(name) is longer than 1 MiB")
            }
        }
        return all
    }

    /// True if the batch taken last is known to be the last. A file's last batch is; after a pipe's, an empty one may
    /// follow.
    var isAtEnd: Bool { isEnded && lines.count == 0 }

    /// Whole lines for one request, and their number. Lines from a slow writer are sent at once, not held back for
    /// more.
    mutating func batch() throws(NodeError) -> (bytes: [UInt8], lines: Int) {
        var batch: (bytes: [UInt8], lines: Int) = ([], 0)
        while batch.lines < Limits.batchLines, batch.bytes.count < Limits.batchBytes {
            if let line = lines.next() {
                add(line, to: &batch)
            } else if !isEnded, batch.lines == 0 || hasMore {
                if let bytes = try next() { lines.append(bytes) }
            } else {
                if isEnded, let rest = lines.rest() { add(rest, to: &batch) }
                break
            }
        }
        return batch
    }

    private func add(_ line: LineBuffer.Line, to batch: inout (bytes: [UInt8], lines: Int)) {
        switch line {
        case .line(let bytes): batch.bytes += bytes
        // Too long: the node refuses it whatever it contains.
        case .tooLong: batch.bytes += [UInt8](repeating: UInt8(ascii: "x"), count: Commands.Limits.inputLineBytes + 1)
        }
        batch.bytes.append(UInt8(ascii: "\n"))
        batch.lines += 1
    }

    /// True if bytes can be read without waiting.
    private var hasMore: Bool {
        if archive != nil { return true }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private mutating func readBytes() throws(NodeError) -> [UInt8] {
        var number: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Limits.inputReadBytes) { buffer, count in
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

    /// How a compressed file begins, and the program that unpacks it to standard output.
    private static let packers: [(magic: [UInt8], unpacks: String)] = [
        ([0x1F, 0x8B], "gzip -dc"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd -dc"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz -dc"),
        ([0x42, 0x5A, 0x68], "bzip2 -dc"), ([0x50, 0x4B, 0x03, 0x04], "unzip -p"),
    ]

    /// JSON lines contain no zero bytes. Binary input is refused as a whole, not line by line.
    private static func checkText(_ bytes: [UInt8], _ name: String) throws(NodeError) {
        if ContainerFormat.skippableSize(bytes[...], number: 0) != nil {
            throw NodeError(.badInput, "\(name) is an archive or a backup: give the file itself, as FILE")
        }
        if let packer = packers.first(where: { bytes.starts(with: $0.magic) }) {
            throw NodeError(
                .badInput,
                "\(name) is compressed: unpack it, as in `\(packer.unpacks) FILE | kachat-node import -`")
        }
        guard !bytes.contains(0) else {
            throw NodeError(.badInput, "\(name) is binary: neither an archive nor text, such as JSON lines")
        }
    }
}
