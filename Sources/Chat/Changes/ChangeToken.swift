import NodeCore

/// Where a reader of a change feed stands: behind an entry. Opaque to apps.
///
/// Written as 36 hexadecimal digits: eight bytes of the feed's id, six of the entry's number, four that tell this entry
/// from another one that came to have its number, in a store that was put back and went on differently.
package struct ChangeToken: Hashable, Sendable {
    let feed: UInt64
    let number: UInt64
    let mark: UInt32

    init(feed: UInt64, number: UInt64, mark: UInt32) {
        self.feed = feed
        self.number = number
        self.mark = mark
    }

    package init?(text: String) {
        guard let bytes = Hex.decode(text), bytes.count == 18 else { return nil }
        var reader = ByteReader(bytes)
        guard let feed = try? reader.readU64(), let high = try? reader.readU16(), let low = try? reader.readU32(),
            let mark = try? reader.readU32()
        else { return nil }
        self.init(feed: feed, number: UInt64(high) << 32 | UInt64(low), mark: mark)
    }

    package var text: String {
        var writer = ByteWriter(capacity: 18)
        writer.write(u64: feed)
        writer.write(u16: UInt16(truncatingIfNeeded: number >> 32))
        writer.write(u32: UInt32(truncatingIfNeeded: number))
        writer.write(u32: mark)
        return Hex.encode(writer.bytes)
    }
}
