import Glibc
package import JSONLines
package import Node
import NodeCore
import SyncState

/// Reads a container: its manifest at once, its parts as streams that verify themselves.
package final class ContainerReader {
    package let path: String
    package let parts: [ContainerPart]
    package let manifest: JSONValue
    /// The list of contents is missing; `parts` were found without it.
    let lacksList: Bool
    private let file: FileDescriptor
    /// Called with the number of bytes of parts that were read, for a progress.
    package var whenRead: (Int) -> Void = { _ in }

    /// Of all parts, as they are in the file.
    package var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }

    /// The device's identity, in a backup with its keys.
    package var keys: ContainerPart? { parts.first { $0.kind == .identity } }

    /// True if a file begins like a container; false also if it cannot be read.
    package static func isContainer(_ path: String) -> Bool {
        guard let file = try? FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK), let status = try? file.status(),
            status.st_mode & S_IFMT == S_IFREG, let bytes = try? file.read(at: 0, count: ContainerFormat.skippableBytes)
        else { return false }
        return ContainerFormat.skippableSize(bytes[...], number: 0) != nil
    }

    /// - Parameter findsParts: look for intact parts if the list of contents is cut off or damaged.
    /// - Throws: `NodeError` about the file's fault and the remedy.
    package init(path: String, kind: ContainerFormat.Kind, findsParts: Bool = false) throws(NodeError) {
        self.path = path
        do {
            file = try FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            guard status.st_mode & S_IFMT == S_IFREG else { throw NodeError(.badInput, "\(path) is not a plain file") }
            let size = Int(status.st_size)
            try Self.checkHead(try file.read(at: 0, count: 64), path, kind)
            do {
                (manifest, parts) = try Self.readManifest(file, size: size, path)
                lacksList = false
            } catch let error as NodeError where findsParts && error.code == .damaged {
                (manifest, parts) = (.object([:]), try Self.findParts(file, from: ContainerFormat.head(kind).count))
                lacksList = true
            }
        } catch {
            throw (error as? FileError).map { Self.notRead(path, $0) } ?? NodeError(cause: error)
        }
    }

    private static func notRead(_ path: String, _ error: FileError) -> NodeError {
        NodeError(.failed, "cannot read \(path): \(error.reason)")
    }

    private static func checkHead(_ bytes: [UInt8], _ path: String, _ kind: ContainerFormat.Kind) throws(NodeError) {
        let header = ContainerFormat.skippableBytes
        guard let size = ContainerFormat.skippableSize(bytes[...], number: 0), header + size <= bytes.count else {
            throw NodeError(.badInput, "\(path) is neither an archive nor a backup of kachat-node")
        }
        let words = String(decoding: bytes[header..<header + size], as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[0] == "kachat", let found = ContainerFormat.Kind(rawValue: String(words[1])),
            let version = Int(words[2])
        else { throw NodeError(.badInput, "\(path) is neither an archive nor a backup of kachat-node") }
        guard version == ContainerFormat.version else {
            throw NodeError(
                .badInput,
                "\(path) has version \(version), but this program reads \(ContainerFormat.version): update kachat-node")
        }
        guard found == kind else {
            let advice =
                found == .archive
                ? ": `kachat-node import FILE` takes it into an account"
                : ": `kachat-node --home DIR restore FILE` makes a new home of it"
            throw NodeError(.badInput, "\(path) holds \(found.words)\(advice: advice)")
        }
    }

    private static func readManifest(
        _ file: borrowing FileDescriptor, size: Int, _ path: String
    ) throws -> (JSONValue, [ContainerPart]) {
        let cutOff = NodeError(
            .damaged, "\(path) is truncated or was never finished: nothing was read from it; get a complete copy")
        let tailAt = size - ContainerFormat.tailBytes
        guard tailAt > 0 else { throw cutOff }
        let tail = try file.read(at: tailAt, count: ContainerFormat.tailBytes)
        let header = ContainerFormat.skippableBytes
        guard ContainerFormat.skippableSize(tail[...], number: 2) == 40 else { throw cutOff }
        let place = tail[header..<header + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard place < UInt64(tailAt), tailAt - Int(place) <= header + Limits.manifestBytes else { throw cutOff }
        let frame = try file.read(at: Int(place), count: tailAt - Int(place))
        let damaged = NodeError(.damaged, "the list of contents of \(path) is damaged: nothing was read from it")
        guard ContainerFormat.skippableSize(frame[...], number: 1) == frame.count - header else { throw damaged }
        let json = Array(frame[header...])
        guard Blake2b.hash32(json, domain: ContainerFormat.hashDomain).bytes == Array(tail.suffix(32)),
            let manifest = JSONValue(json: json)
        else { throw damaged }
        let listed = manifest["parts"]?.elements ?? []
        let parts = listed.compactMap(ContainerPart.init)
        let fit = parts.allSatisfy { $0.offset <= Int(place) && $0.bytes <= Int(place) - $0.offset }
        guard parts.count == listed.count, Set(parts.map(\.name)).count == parts.count, fit else { throw damaged }
        return (manifest, parts)
    }

    /// Reads everything and returns the damaged parts.
    package func damagedParts() -> [ContainerPart] {
        parts.filter { part in
            do {
                let stream = stream(part)
                while try stream.next() != nil {}
                return false
            } catch {
                return true
            }
        }
    }

    /// The content of a part, verified at its end.
    package func stream(_ part: ContainerPart) -> ContainerStream { ContainerStream(self, part) }

    fileprivate func read(at offset: Int, count: Int) throws(NodeError) -> [UInt8] {
        do {
            let bytes = try file.read(at: offset, count: count)
            whenRead(bytes.count)
            return bytes
        } catch {
            throw Self.notRead(path, error)
        }
    }

    /// The content of a small part.
    package func content(_ part: ContainerPart, limit: Int) throws(NodeError) -> [UInt8] {
        guard part.plainBytes <= limit else { throw damaged(part) }
        let stream = stream(part)
        var content: [UInt8] = []
        while let piece = try stream.next() { content += piece }
        return content
    }

    package func damaged(_ part: ContainerPart) -> NodeError {
        NodeError(.damaged, "\(path): the part `\(part.name)` is damaged")
    }
}

extension ContainerFormat.Kind {
    /// The kind of file, for people.
    package var words: String {
        switch self {
        case .archive: "an archive of messages"
        case .backup: "a backup"
        }
    }
}

/// The content of one part, piece by piece.
package final class ContainerStream {
    private let reader: ContainerReader
    private let part: ContainerPart
    private let decompressor = FrameDecompressor()
    private let hasher = Blake2bHasher(domain: ContainerFormat.hashDomain)
    private var read = 0
    private var given = 0
    private var isChecked = false

    init(_ reader: ContainerReader, _ part: ContainerPart) {
        self.reader = reader
        self.part = part
    }

    /// The next piece; nil at the end of an intact part. Throws if the part is damaged.
    package func next() throws(NodeError) -> [UInt8]? {
        guard !isChecked else { return nil }
        while true {
            let piece: [UInt8]
            do {
                piece = try decompressor.next()
            } catch {
                throw reader.damaged(part)
            }
            given += piece.count
            guard given <= part.plainBytes else { throw reader.damaged(part) }
            if !piece.isEmpty { return piece }
            if read == part.bytes { return try check() }
            let bytes = try reader.read(
                at: part.offset + read, count: min(Limits.containerReadBytes, part.bytes - read))
            guard !bytes.isEmpty else { throw reader.damaged(part) }
            hasher.update(bytes)
            read += bytes.count
            decompressor.feed(bytes)
        }
    }

    private func check() throws(NodeError) -> [UInt8]? {
        isChecked = true
        guard hasher.finish() == part.hash, decompressor.isAtEnd, decompressor.unread == 0, given == part.plainBytes
        else { throw reader.damaged(part) }
        return nil
    }
}

/// Reading a file without its end.
extension ContainerReader {
    /// The intact frames from the first one up to where the file breaks off, by zstd's own checksums. Only the missing
    /// list knew their kinds.
    static func findParts(_ file: borrowing FileDescriptor, from start: Int) throws(FileError) -> [ContainerPart] {
        var parts: [ContainerPart] = []
        var offset = start
        while let part = try wholeFrame(file, at: offset, name: "part \(parts.count + 1)") {
            parts.append(part)
            offset += part.bytes
        }
        return parts
    }

    private static func wholeFrame(
        _ file: borrowing FileDescriptor, at offset: Int, name: String
    ) throws(FileError) -> ContainerPart? {
        var part = ContainerPart(.messages, name: name, offset: offset)
        let decompressor = FrameDecompressor()
        let hasher = Blake2bHasher(domain: ContainerFormat.hashDomain)
        while !decompressor.isAtEnd {
            let bytes = try file.read(at: offset + part.bytes, count: Limits.containerReadBytes)
            // The decompressor would skip a skippable frame, which ends the parts.
            guard !bytes.isEmpty, part.bytes > 0 || bytes.starts(with: ContainerFormat.frameMagic) else { return nil }
            decompressor.feed(bytes)
            do {
                while case let piece = try decompressor.next(), !piece.isEmpty { part.plainBytes += piece.count }
            } catch {
                return nil
            }
            let used = bytes.count - (decompressor.isAtEnd ? decompressor.unread : 0)
            hasher.update(Array(bytes.prefix(used)))
            part.bytes += used
        }
        part.hash = hasher.finish()
        return part
    }
}
