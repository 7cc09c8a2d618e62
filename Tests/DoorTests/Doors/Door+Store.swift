import NodeCore

@testable import Chat
@testable import SyncState

/// What is stored: also what a peer gave, or a disk has changed.
extension Door {
    static func cbor(_ bytes: [UInt8]) -> String? {
        var reader = CBORReader(bytes)
        var before = -1
        while reader.remaining > 0, (try? reader.skip()) != nil {
            guard reader.position > before else { return "an item without bytes" }
            before = reader.position
        }
        return nil
    }

    static func record(_ bytes: [UInt8]) -> String? {
        if let record = try? Record(encoded: bytes), record.encoded != bytes { return "a record has two encodings" }
        if let meta = try? RecordMeta(encoded: bytes), meta.encoded != bytes { return "a meta has two encodings" }
        if let meta = try? SegmentMeta(decoding: bytes), meta.encoded != bytes {
            return "the meta of a segment has two encodings"
        }
        return nil
    }

    static func segment(_ bytes: [UInt8]) -> String? {
        guard let messages = payload(bytes) else { return nil }
        return payload(PayloadWriter.payload(of: messages)) == messages ? nil : "messages are not what they read as"
    }

    private static func payload(_ bytes: [UInt8]) -> [ChatMessage]? {
        bytes.withUnsafeBytes { try? SegmentCodec.messages(in: $0, conversationID: "bob") }
    }

    /// As a payload with the size that it claims, and as a stream in two pieces.
    static func frame(_ bytes: [UInt8]) -> String? {
        let size = bytes.withUnsafeBytes { bytes in
            try? SegmentCodec().compressor.decompress(bytes) { (payload) throws(SegmentError) in payload.count }
        }
        if let size, size > Chat.Limits.payloadBytes { return "a payload beyond its limit" }
        let stream = FrameDecompressor()
        for piece in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
            stream.feed(Array(piece))
            // A bomb goes on for ever; who reads one stops at the size that was announced.
            for _ in 0..<16 {
                guard let content = try? stream.next(), !content.isEmpty else { break }
                if content.count > 1 << 17 { return "a piece beyond its limit" }
            }
        }
        return nil
    }

    /// The bytes lie over a leaf and its place in the directory. What they do is undone: making the tree anew took a
    /// hundred times as long.
    static func leaf(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 2 else { return nil }
        return tree.withLock { tree in
            guard let tree, (try? tree.database.begin()) != nil else { return "no tree" }
            defer { tree.database.rollback() }
            return try? tree.fault(in: bytes)
        }
    }

    private static let tree = Lock(try? PackedTree())
}

/// A tree of more than one leaf, for one thread at a time.
private struct PackedTree: @unchecked Sendable {
    private static let width = 28
    let database: Database
    private let index: PackedIndex
    private let image, count: Statement

    init() throws {
        database = try Database(path: ":memory:")
        try PackedIndex.migrate(database)
        // Wide values, so that a leaf has few entries to go through.
        index = try PackedIndex(database: database, tree: 1, layout: PackedLayout(keyBytes: 4, valueBytes: Self.width))
        let value = [UInt8](repeating: 1, count: Self.width)
        try index.insert((0..<300).flatMap { [0, 0, UInt8($0 >> 8), UInt8($0 & 255)] + value })
        image = try database.prepare("UPDATE packed_leaf SET entries = ? WHERE id = 1")
        count = try database.prepare("UPDATE packed_directory SET count = ? WHERE leaf = 1")
    }

    func fault(in bytes: [UInt8]) throws -> String? {
        let rest = max(0, SyncState.Limits.leafBytes - bytes.count + 2)
        image.bind(1, bytes[2...] + [UInt8](repeating: 0, count: rest))
        try image.run()
        count.bind(1, Int64(Int8(bitPattern: bytes[0])) * 32 + Int64(bytes[1]))
        try count.run()
        let key: [UInt8] = [0, 0, bytes[0], bytes[1]]
        _ = try? index.find(key)
        for descending in [false, true] { try? index.scan(from: key, descending: descending) { _ in true } }
        let isSound = try? index.isSound()
        _ = try? index.insert(key + [UInt8](repeating: 9, count: Self.width))
        _ = try? index.remove(key)
        return isSound == true ? "a leaf with other bytes passes for sound" : nil
    }
}
