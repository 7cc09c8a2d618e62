package import NodeCore
import SyncState

/// A key of the tree that lists messages: conversation, order, the first eight bytes of the txid, location.
///
/// The location is in the key since anybody can make two txids that begin alike. Encoded in 26 bytes, followed by a
/// value of 7: time in milliseconds (6 bytes) and flags.
struct MessageKey: Hashable, Comparable, Sendable {
    static let layout = PackedLayout(keyBytes: 26, valueBytes: 7)

    var conversation: UInt32
    var order: MessageOrder
    var prefix: UInt64
    var location: MessageLocation

    @inline(__always)
    static func < (left: MessageKey, right: MessageKey) -> Bool {
        if left.conversation != right.conversation { return left.conversation < right.conversation }
        if left.order != right.order { return left.order < right.order }
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        return left.location < right.location
    }

    /// Writes key and value; needs a byte more than the entry takes.
    @inline(__always)
    func store(at target: UnsafeMutableRawPointer, timeAndFlags: UInt64) {
        target.storeBytes(of: conversation.bigEndian, as: UInt32.self)
        target.storeBytes(of: order.word.bigEndian, toByteOffset: 4, as: UInt64.self)
        target.storeBytes(of: prefix.bigEndian, toByteOffset: 12, as: UInt64.self)
        // Eight bytes for six and for seven: the next store covers what is too much.
        target.storeBytes(of: (location.word << 16).bigEndian, toByteOffset: 20, as: UInt64.self)
        target.storeBytes(of: (timeAndFlags << 8).bigEndian, toByteOffset: 26, as: UInt64.self)
    }

    init(conversation: UInt32, order: MessageOrder, prefix: UInt64, location: MessageLocation) {
        (self.conversation, self.order, self.prefix, self.location) = (conversation, order, prefix, location)
    }

    /// Reads a key.
    init(loading source: UnsafeRawPointer) {
        conversation = UInt32(bigEndian: source.loadUnaligned(as: UInt32.self))
        order = MessageOrder(word: UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 4, as: UInt64.self)))
        prefix = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 12, as: UInt64.self))
        // Two bytes early: the six of the location are the lower ones.
        let location = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 18, as: UInt64.self))
        self.location = MessageLocation(word: location & 0xffff_ffff_ffff)
    }

    /// The value behind a key.
    static func timeAndFlags(loading source: UnsafeRawPointer) -> UInt64 {
        UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 25, as: UInt64.self)) & 0xff_ffff_ffff_ffff
    }

    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.layout.entryBytes + 1)
        bytes.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            store(at: base, timeAndFlags: 0)
        }
        bytes.removeLast(bytes.count - Self.layout.keyBytes)
        return bytes
    }

    /// The least key of a conversation from an order on.
    static func first(of conversation: UInt32, from order: MessageOrder = MessageOrder(word: 0)) -> MessageKey {
        MessageKey(conversation: conversation, order: order, prefix: 0, location: MessageLocation(word: 0))
    }

    /// The greatest key of a conversation up to an order and prefix.
    static func last(
        of conversation: UInt32, upTo order: MessageOrder = MessageOrder(word: .max), prefix: UInt64 = .max
    ) -> MessageKey {
        MessageKey(
            conversation: conversation, order: order, prefix: prefix,
            location: MessageLocation(word: 0xffff_ffff_ffff))
    }
}

/// The location of a message: a row of the queue, or a place in a segment. 48 bits, so that it takes 6 bytes in the
/// index.
///
/// Bit 47: in the queue; bits 8 to 46: queue row id or arrival id of the segment; bits 0 to 7: position in the segment.
struct MessageLocation: Hashable, Comparable, Sendable {
    let word: UInt64

    /// Stands for a message that has an overlay and no copy here. Segments are counted from 1.
    static let nowhere = MessageLocation(word: 0)

    static func queue(row: Int64) -> MessageLocation {
        precondition(row >= 0 && UInt64(row) <= Limits.locationID, "invariant: queue rows are counted from 1")
        return MessageLocation(word: 1 << 47 | UInt64(row) << 8)
    }

    static func segment(_ arrivalID: UInt64, position: Int) -> MessageLocation {
        precondition(arrivalID <= Limits.locationID && position < 256, "invariant: segments have at most 256 messages")
        return MessageLocation(word: arrivalID << 8 | UInt64(position))
    }

    var isQueued: Bool { word >> 47 != 0 }
    var id: UInt64 { word >> 8 & Limits.locationID }
    var queueRow: Int64 { Int64(id) }
    var position: Int { Int(word & 0xff) }

    static func < (left: MessageLocation, right: MessageLocation) -> Bool { left.word < right.word }
}

/// A place in the list of a conversation's messages: order, then txid. It stays good while messages come and go.
package struct MessageCursor: Sendable, Hashable, Comparable {
    package let order: MessageOrder
    package let txid: TxID

    package init(order: MessageOrder, txid: TxID) {
        (self.order, self.txid) = (order, txid)
    }

    /// `<order, hexadecimal>-<txid>`.
    package var text: String { "\(String(order.word, radix: 16))-\(txid.hex)" }

    package init?(text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let word = UInt64(parts[0], radix: 16), let txid = TxID(hex: String(parts[1])) else {
            return nil
        }
        self.init(order: MessageOrder(word: word), txid: txid)
    }

    package static func < (left: MessageCursor, right: MessageCursor) -> Bool {
        left.order != right.order ? left.order < right.order : left.txid < right.txid
    }
}
