import NodeCore
import SyncState

/// The index's data about a message: 48 bytes in memory until it is merged into the trees.
struct MessageEntry {
    static let receivedFlag: UInt64 = 1
    static let contentFlag: UInt64 = 2
    /// Its position in the chain comes from an overlay, not from the copy.
    static let overlaidFlag: UInt64 = 4

    /// 46 bits of the txid's SipHash, keyed for this database.
    var hash: UInt64
    var location: MessageLocation
    var key: MessageKey
    /// Milliseconds in the upper 56 bits, flags in the lower 8.
    var timeAndFlags: UInt64

    var time: UInt64 { timeAndFlags >> 8 }
    var isReceived: Bool { timeAndFlags & Self.receivedFlag != 0 }

    static func timeAndFlags(time: UInt64, isReceived: Bool, hasContent: Bool) -> UInt64 {
        time << 8 | (isReceived ? receivedFlag : 0) | (hasContent ? contentFlag : 0)
    }

    init(hash: UInt64, location: MessageLocation, key: MessageKey, timeAndFlags: UInt64) {
        self.hash = hash
        self.location = location
        self.key = key
        self.timeAndFlags = timeAndFlags
    }

    init(_ message: ChatMessage, hash: UInt64, location: MessageLocation, conversation: UInt32) {
        let time = MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp)
        self.init(
            hash: hash, location: location,
            key: MessageKey(
                conversation: conversation, order: message.order, prefix: message.txid.storage.w0,
                location: location),
            timeAndFlags: Self.timeAndFlags(
                time: time, isReceived: message.direction == .received, hasContent: message.hasContent))
    }
}

/// A key of the tree that lists messages: conversation, order, the first eight bytes of the txid, location.
///
/// The location is included since anybody can make two txids with the same prefix. Encoded in 26 bytes, followed by a
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

    /// Writes key and value; needs one byte more than the entry takes.
    @inline(__always)
    func store(at target: UnsafeMutableRawPointer, timeAndFlags: UInt64) {
        target.storeBytes(of: conversation.bigEndian, as: UInt32.self)
        target.storeBytes(of: order.word.bigEndian, toByteOffset: 4, as: UInt64.self)
        target.storeBytes(of: prefix.bigEndian, toByteOffset: 12, as: UInt64.self)
        // Writes eight bytes where six and seven are needed: the next store overwrites the excess.
        target.storeBytes(of: (location.word << 16).bigEndian, toByteOffset: 20, as: UInt64.self)
        target.storeBytes(of: (timeAndFlags << 8).bigEndian, toByteOffset: 26, as: UInt64.self)
    }

    init(conversation: UInt32, order: MessageOrder, prefix: UInt64, location: MessageLocation) {
        self.conversation = conversation
        self.order = order
        self.prefix = prefix
        self.location = location
    }

    /// Reads a key.
    init(loading source: UnsafeRawPointer) {
        conversation = UInt32(bigEndian: source.loadUnaligned(as: UInt32.self))
        order = MessageOrder(word: UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 4, as: UInt64.self)))
        prefix = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 12, as: UInt64.self))
        // Starts two bytes early: the six bytes of the location are the lower ones.
        let location = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 18, as: UInt64.self))
        self.location = MessageLocation(word: location & 0xffff_ffff_ffff)
    }

    /// The value after a key.
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

    /// The smallest key of a conversation from an order on.
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

/// The location of a message: a row of the queue, or a position in a segment. 48 bits, so that it takes 6 bytes in the
/// index.
///
/// Bit 47: in the queue; bits 8 to 46: queue row id or arrival id of the segment; bits 0 to 7: position in the segment.
struct MessageLocation: Hashable, Comparable, Sendable {
    let word: UInt64

    init(word: UInt64) { self.word = word }

    /// No copy is held: for a message of which only an overlay is known. Segments are counted from 1.
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
