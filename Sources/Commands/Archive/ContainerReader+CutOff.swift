import Node
import NodeCore
import SyncState

/// What can be read of a file whose end is missing.
extension ContainerReader {
    /// The frames that are whole, from the first one up to where the file breaks off. What kind of part each was only
    /// the list knew; each has zstd's own checksum.
    static func findParts(
        _ file: borrowing FileDescriptor, from start: Int
    ) throws(FileError) -> [ContainerPart] {
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
            // The decompressor would pass over a skippable frame: behind the parts there is nothing to be read.
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
