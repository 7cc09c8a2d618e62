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

    /// The bytes lie over a leaf and its place in the directory.
    static func leaf(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 2, let database = try? Database(path: ":memory:") else { return nil }
        do {
            try PackedIndex.migrate(database)
            let index = try PackedIndex(database: database, tree: 1, layout: PackedLayout(keyBytes: 4, valueBytes: 4))
            // More than a leaf holds.
            try index.insert((0..<2_500).flatMap { [0, 0, UInt8($0 >> 8), UInt8($0 & 255), 1, 2, 3, 4] })
            let image = try database.prepare("UPDATE packed_leaf SET entries = ? WHERE id = 1")
            image.bind(
                1, bytes[2...] + [UInt8](repeating: 0, count: max(0, SyncState.Limits.leafBytes - bytes.count + 2)))
            try image.run()
            let count = try database.prepare("UPDATE packed_directory SET count = ? WHERE leaf = 1")
            count.bind(1, Int64(Int8(bitPattern: bytes[0])) * 32 + Int64(bytes[1]))
            try count.run()
            let key: [UInt8] = [0, 0, bytes[0], bytes[1]]
            _ = try? index.find(key)
            _ = try? index.count(from: key, upTo: nil)
            for descending in [false, true] { try? index.scan(from: key, descending: descending) { _ in true } }
            let isSound = try? index.isSound()
            _ = try? index.insert(key + [9, 9, 9, 9])
            _ = try? index.remove(key)
            return isSound == true ? "a leaf with other bytes passes for sound" : nil
        } catch {
            return nil
        }
    }
}
