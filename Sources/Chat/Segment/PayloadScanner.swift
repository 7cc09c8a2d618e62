import NodeCore

/// Reads the payload of a segment, version 1 or 2, message by message and without a copy.
///
///     payload    = [ version, contacts, messages ]
///     contacts   = [ * text ]                    ; each up to 256 bytes, at most one a message
///     messages   = [ 1*256 message ]             ; by order, then txid
///     message    = { 0: txid (32 bytes), 1: contact (index), 2: flags, 3: sender's time (s),
///                    ? 4: block time (ms), ? 5: accepting score, ? 6: body (text), ? 7: attachments,
///                    ? 8: place among those sent in its second (1 to 999), from version 2 on }
///     flags      = direction (bit 0: received) + 2 × status (pending, seen, confirmed, reorged)
///     attachments = [ 1*16 attachment ]
///     attachment = { ? 0: link (text), 1: MIME type (text), 2: size, ? 3: duration (ms), ? 4: width, ? 5: height,
///                    ? 6: inline (bytes) }
///
/// Deterministic CBOR throughout; an empty body and an empty list of attachments are omitted. The conversation is not
/// in the payload: it is part of the record's name, from which the key is derived.
struct PayloadScanner {
    private let version: UInt64
    private(set) var cursor: PayloadCursor
    /// Ranges of the contacts' texts.
    private(set) var contacts: [Range<Int>] = []
    /// Number of messages left.
    private(set) var remaining = 0

    /// Reads up to the first message. `contacts` provides memory for the ranges of the contacts.
    init(_ payload: UnsafeRawBufferPointer, reusing contacts: consuming [Range<Int>] = []) throws(SegmentError) {
        cursor = PayloadCursor(payload)
        self.contacts = contacts
        self.contacts.removeAll(keepingCapacity: true)
        guard try cursor.count(4, max: 3) == 3 else { throw .malformed(at: 0) }
        let version = try cursor.head(0)
        guard (1...Limits.payloadVersion).contains(version) else { throw .unknownVersion(version) }
        self.version = version
        for _ in 0..<(try cursor.count(4, max: Limits.segmentMessagesRead)) {
            self.contacts.append(try cursor.string(3, max: Limits.contactBytes))
        }
        remaining = try cursor.count(4, max: Limits.segmentMessagesRead)
        guard remaining > 0 else { throw .malformed(at: cursor.position) }
    }

    /// Reads one message at a position where an earlier scan found it.
    init(_ payload: UnsafeRawBufferPointer, messageAt position: Int) {
        cursor = PayloadCursor(payload, at: position)
        version = Limits.payloadVersion
        remaining = 1
    }

    /// The position of the next message.
    var position: Int { cursor.position }

    /// Reads the next message; false if there is none, in which case no bytes may be left.
    mutating func next(_ message: inout ScannedMessage) throws(SegmentError) -> Bool {
        guard remaining > 0 else {
            guard cursor.position == cursor.end else { throw .malformed(at: cursor.position) }
            return false
        }
        remaining -= 1
        message = try read(contacts: contacts.count)
        return true
    }

    /// Reads the message at this position, whose contact index must be below `contacts`.
    mutating func read(contacts: Int) throws(SegmentError) -> ScannedMessage {
        var message = ScannedMessage()
        let start = cursor.position
        var pairs = try cursor.count(5, max: 9)
        guard pairs >= 4, try cursor.head(0) == 0 else { throw .malformed(at: start) }
        let txid = try cursor.string(2, max: TxID.byteCount)
        guard txid.count == TxID.byteCount, try cursor.head(0) == 1 else { throw .malformed(at: start) }
        message.txidStart = txid.lowerBound
        message.contact = Int(try cursor.number(max: UInt64(Limits.segmentMessagesRead)))
        guard message.contact < contacts, try cursor.head(0) == 2 else { throw .malformed(at: start) }
        let flags = UInt8(try cursor.number(max: 7))
        message.isReceived = flags & 1 != 0
        // Two bits give four cases.
        message.status = MessageStatus(rawValue: flags >> 1) ?? .pending
        guard try cursor.head(0) == 3 else { throw .malformed(at: start) }
        message.senderTimestamp = try cursor.number(max: Limits.timestampSeconds)
        pairs -= 4
        var previous: UInt64 = 3
        while pairs > 0 {
            let key = try cursor.head(0)
            guard key > previous else { throw .malformed(at: cursor.position) }
            previous = key
            pairs -= 1
            switch key {
            case 4: message.blockTime = try cursor.number(max: Limits.timeMilliseconds)
            case 5: message.score = try cursor.number(max: Limits.acceptingDaaScore)
            case 6:
                message.body = try cursor.string(3, max: Limits.bodyBytes)
                guard !message.body.isEmpty else { throw .malformed(at: cursor.position) }
            case 7: message.attachments = try skipAttachments()
            case 8 where version > 1:
                message.senderOrder = UInt16(try cursor.number(max: UInt64(Limits.senderOrder)))
                guard message.senderOrder > 0 else { throw .malformed(at: cursor.position) }
            default: throw .malformed(at: cursor.position)
            }
        }
        return message
    }

    private mutating func skipAttachments() throws(SegmentError) -> Range<Int> {
        let start = cursor.position
        let count = try cursor.count(4, max: Limits.attachments)
        guard count > 0 else { throw .malformed(at: start) }
        for _ in 0..<count { _ = try Self.attachment(&cursor) }
        return start..<cursor.position
    }

    /// Reads one attachment, with ranges of its texts and bytes.
    private static func attachment(_ cursor: inout PayloadCursor) throws(SegmentError) -> ScannedAttachment {
        let start = cursor.position
        var scanned = ScannedAttachment()
        var previous: UInt64?
        for _ in 0..<(try cursor.count(5, max: 7)) {
            let key = try cursor.head(0)
            if let previous, key <= previous { throw .malformed(at: cursor.position) }
            previous = key
            switch key {
            case 0: scanned.link = try cursor.string(3, max: Limits.attachmentLinkBytes)
            case 1: scanned.mimeType = try cursor.string(3, max: Limits.mimeTypeBytes)
            case 2...5: scanned.numbers[Int(key - 2)] = try cursor.number(max: Limits.attachmentNumber)
            case 6: scanned.inline = try cursor.string(2, max: Limits.inlineAttachmentBytes)
            default: throw .malformed(at: cursor.position)
            }
        }
        guard scanned.mimeType != nil, scanned.numbers[0] != nil else { throw .malformed(at: start) }
        return scanned
    }

    /// The attachments in a range that a scan has validated.
    static func attachments(in payload: UnsafeRawBufferPointer, at place: Range<Int>) -> [ChatAttachment] {
        guard !place.isEmpty else { return [] }
        var cursor = PayloadCursor(payload, at: place.lowerBound)
        guard let count = try? cursor.count(4, max: Limits.attachments) else { return [] }
        var attachments: [ChatAttachment] = []
        for _ in 0..<count {
            guard let scanned = try? attachment(&cursor), let mimeType = scanned.mimeType else { break }
            attachments.append(
                ChatAttachment(
                    link: scanned.link.map { cursor.text($0) }, mimeType: cursor.text(mimeType),
                    sizeBytes: scanned.numbers[0] ?? 0, durationMilliseconds: scanned.numbers[1],
                    width: scanned.numbers[2], height: scanned.numbers[3],
                    inline: scanned.inline.map { [UInt8](cursor.slice($0)) }))
        }
        return attachments
    }

    private struct ScannedAttachment {
        var link: Range<Int>?
        var mimeType: Range<Int>?
        /// Size, duration, width, height.
        var numbers: [4 of UInt64?] = [nil, nil, nil, nil]
        var inline: Range<Int>?
    }
}

/// Reads deterministic CBOR in place, without a copy.
///
/// NodeCore's reader works on an array that it shares. This one is internal to this module and works on borrowed
/// memory, so that the compiler can optimise it: opening a history means reading a million messages.
struct PayloadCursor {
    let base: UnsafeRawPointer
    var position: Int
    let end: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        // invariant: 1 is not null. An empty buffer may have no address, and nothing is read from it.
        base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        self.position = position
        end = bytes.count
    }

    /// The number in the head of an item of the given major type.
    @inline(__always)
    mutating func head(_ type: UInt8) throws(SegmentError) -> UInt64 {
        guard position < end else { throw .malformed(at: position) }
        let first = base.load(fromByteOffset: position, as: UInt8.self)
        guard first >> 5 == type else { throw .malformed(at: position) }
        if first & 31 < 24 {
            position += 1
            return UInt64(first & 31)
        }
        return try longHead(first)
    }

    private mutating func longHead(_ first: UInt8) throws(SegmentError) -> UInt64 {
        let code = Int(first & 31)
        guard code <= 27 else { throw .malformed(at: position) }
        let size = 1 << (code - 24)
        guard end - position > size else { throw .malformed(at: position) }
        let start = position + 1
        let value: UInt64 =
            switch size {
            case 1: UInt64(base.load(fromByteOffset: start, as: UInt8.self))
            case 2: UInt64(UInt16(bigEndian: base.loadUnaligned(fromByteOffset: start, as: UInt16.self)))
            case 4: UInt64(UInt32(bigEndian: base.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
            default: UInt64(bigEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            }
        let least: UInt64 = size == 1 ? 24 : 1 << UInt64(4 * size)
        guard value >= least else { throw .malformed(at: position) }
        position = start + size
        return value
    }

    /// The content of a byte string (type 2) or text (type 3).
    @inline(__always)
    mutating func string(_ type: UInt8, max: Int) throws(SegmentError) -> Range<Int> {
        let start = position
        let length = try head(type)
        guard length <= UInt64(max), length <= UInt64(end - position) else { throw .malformed(at: start) }
        let content = position
        position = content + Int(length)
        return content..<position
    }

    /// The number of items of an array (type 4) or of pairs of a map (type 5).
    @inline(__always)
    mutating func count(_ type: UInt8, max: Int) throws(SegmentError) -> Int {
        let start = position
        let count = try head(type)
        guard count <= UInt64(max), count <= UInt64(end - position) else { throw .malformed(at: start) }
        return Int(count)
    }

    /// An unsigned number of at most `limit`.
    @inline(__always)
    mutating func number(max limit: UInt64) throws(SegmentError) -> UInt64 {
        let start = position
        let value = try head(0)
        guard value <= limit else { throw .malformed(at: start) }
        return value
    }

    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// The text in a range; invalid UTF-8 is repaired, the same on every device.
    func text(_ range: Range<Int>) -> String {
        String(decoding: slice(range), as: UTF8.self)
    }
}

/// A message in a payload: numbers are decoded, everything else is a range.
struct ScannedMessage {
    /// The start of its 32 bytes.
    var txidStart = 0
    /// The contact's index in the payload's list.
    var contact = 0
    var isReceived = false
    var status = MessageStatus.pending
    var senderTimestamp: UInt64 = 0
    var blockTime: UInt64?
    var score: UInt64?
    var senderOrder: UInt16 = 0
    var body = 0..<0
    /// The whole list of attachments, from its head to its end; empty if there is none.
    var attachments = 0..<0

    var hasContent: Bool { !body.isEmpty || !attachments.isEmpty }

    var order: MessageOrder {
        MessageOrder(
            score: score, blockTime: blockTime, senderTimestamp: senderTimestamp,
            senderOrder: isReceived ? 0 : senderOrder)
    }

    var time: UInt64 { MessageOrder.time(blockTime: blockTime, senderTimestamp: senderTimestamp) }
}
