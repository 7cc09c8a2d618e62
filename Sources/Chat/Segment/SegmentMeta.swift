package import NodeCore
package import SyncState

/// The content of a segment's record, before sealing.
///
///     meta = { 0: 4, 1: name (text), 2: start, 3: end, 4: messages, 5: bytes, 6: payload version, 7: prefixes }
///
/// Deterministic CBOR. `prefixes` has the first four bytes of each message's txid, in the payload's order, so that the
/// segment of a hinted message is found without opening it.
package struct SegmentMeta: Sendable, Equatable {
    /// The type of the record's meta.
    package static let type: UInt64 = 4

    package var name: SegmentName
    /// Earliest sender's time, seconds.
    package var startTimestamp: UInt64
    /// Latest sender's time, seconds.
    package var endTimestamp: UInt64
    package var messageCount: Int
    /// Bytes of the payload before compression.
    package var byteCount: Int
    package var payloadVersion: UInt64
    package var prefixes: [UInt8]

    package init(
        name: SegmentName, startTimestamp: UInt64, endTimestamp: UInt64, messageCount: Int, byteCount: Int,
        payloadVersion: UInt64, prefixes: [UInt8]
    ) {
        self.name = name
        self.startTimestamp = startTimestamp
        self.endTimestamp = endTimestamp
        self.messageCount = messageCount
        self.byteCount = byteCount
        self.payloadVersion = payloadVersion
        self.prefixes = prefixes
    }

    /// The `prefixes` one by one.
    private var heads: some Sequence<ArraySlice<UInt8>> {
        stride(from: 0, to: prefixes.count, by: 4).lazy.map { prefixes[$0..<$0 + 4] }
    }

    /// How many messages another segment has, too.
    func countShared(with other: SegmentMeta) -> Int {
        Set(heads).intersection(other.heads).count
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 128 + prefixes.count)
        writer.writeMap(8)
        writer.write(
            0, Self.type, 1, name.text, 2, startTimestamp, 3, endTimestamp, 4, messageCount, 5, byteCount,
            6, payloadVersion, 7, prefixes)
        return writer.bytes
    }

    /// Reads the output of `encoded` and refuses everything else.
    package init(decoding bytes: [UInt8]) throws(SegmentError) {
        var reader = CBORReader(bytes)
        do {
            guard try reader.readMap(max: 8) == 8 else { throw SegmentError.badMeta }
            func number(_ key: UInt64, _ limit: UInt64) throws -> UInt64 {
                guard try reader.readUInt() == key else { throw SegmentError.badMeta }
                return try reader.readUInt(max: limit)
            }
            guard try number(0, .max) == Self.type, try reader.readUInt() == 1 else { throw SegmentError.badMeta }
            name = try SegmentName(bytes: try reader.readTextBytes(max: Limits.conversationIDBytes + 128))
            startTimestamp = try number(2, Limits.timestampSeconds)
            endTimestamp = try number(3, Limits.timestampSeconds)
            messageCount = Int(try number(4, UInt64(Limits.segmentMessagesRead)))
            byteCount = Int(try number(5, UInt64(Limits.payloadBytes)))
            payloadVersion = try number(6, .max)
            guard try reader.readUInt() == 7 else { throw SegmentError.badMeta }
            prefixes = try reader.readBytes(max: 4 * Limits.segmentMessagesRead)
            guard prefixes.count == 4 * messageCount else { throw SegmentError.badMeta }
            try reader.finish()
        } catch {
            throw .badMeta
        }
    }

    /// True if a message with this txid may be in the segment.
    package func mayHold(_ txid: TxID) -> Bool {
        heads.contains(txid.bytes.prefix(4))
    }
}

extension SegmentMeta: AccountRecord {
    package static var metaType: MetaType { .segment }
    package static var kind: RecordKind { .segment }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(decoding: fields) }
    package func slotName(in lane: LaneID) -> [UInt8] { name.bytes }
    package var priority: Int64 { newestMessage }
    package var messages: Int { messageCount }
    package var newestMessage: Int64 { Int64(clamping: endTimestamp) }
}

/// The name of a segment's record: `seg.<conversation>.<day>.<writer, hexadecimal>.<sequence>`.
///
/// It is parsed from the end, since a conversation's id may contain dots. Numbers are decimal without leading zeros.
package struct SegmentName: Sendable, Hashable {
    package let conversationID: String
    /// Days since 1970, UTC.
    package let dayBucket: UInt64
    package let writer: LaneID
    /// Counts the writer's segments of this conversation and day, from 0. Not the sequence number of its lane.
    package let sequence: UInt64
    /// UTF-8 of the whole name.
    package let bytes: [UInt8]

    package init(conversationID: String, dayBucket: UInt64, writer: LaneID, sequence: UInt64) {
        self.conversationID = conversationID
        self.dayBucket = dayBucket
        self.writer = writer
        self.sequence = sequence
        bytes = Array("seg.\(conversationID).\(dayBucket).\(writer.hex).\(sequence)".utf8)
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Reads the UTF-8 of a name.
    package init(bytes: [UInt8]) throws(SegmentError) {
        let dot = UInt8(ascii: ".")
        guard bytes.starts(with: "seg.".utf8),
            let third = bytes.lastIndex(of: dot),
            let second = bytes[..<third].lastIndex(of: dot),
            let first = bytes[..<second].lastIndex(of: dot), first > 4,
            first - 4 <= Limits.conversationIDBytes
        else { throw .badName }
        guard let conversation = String(validating: bytes[4..<first], as: UTF8.self),
            let day = Self.number(bytes[(first + 1)..<second]),
            let writer = Hex.decode(bytes[(second + 1)..<third], isLowercase: true).flatMap(LaneID.init(bytes:)),
            let sequence = Self.number(bytes[(third + 1)...])
        else { throw .badName }
        conversationID = conversation
        dayBucket = day
        self.writer = writer
        self.sequence = sequence
        // A name has one spelling: the four parts would give the same bytes.
        self.bytes = bytes
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard let first = digits.first, digits.count <= 20 else { return nil }
        guard digits.count == 1 || first != UInt8(ascii: "0") else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }
}

/// A segment that was cut and must still be sealed and written as a record.
package struct SegmentDraft: Sendable {
    package let meta: SegmentMeta
    /// The compressed payload, verified to decompress to the messages.
    package let compressed: [UInt8]
    /// Rows of the queue that it replaces.
    package let queueRows: [Int64]
}

/// A held segment of this device, to be written again with more messages.
package struct OpenSegment {
    let name: SegmentName
    let messages: [ChatMessage]
}

/// Everything needed to open one segment.
package struct SealedSegment {
    /// The record's name: contains the conversation, and is used to derive the key.
    package var name: SegmentName
    /// The record's clear header: the seal's associated data.
    package var header: [UInt8]
    /// The archive key of the record's root.
    package var archiveKey: Secret
    /// nonce ‖ ciphertext ‖ tag; valid during the call only.
    package var ciphertext: UnsafeRawBufferPointer
    /// The payload version stated in the record; a newer one is not even opened.
    package var payloadVersion: UInt64 = 1
}

/// Why a segment, its name or its meta cannot be read. Reading never traps, whatever the bytes.
package enum SegmentError: Error, Equatable, Sendable {
    /// The record's name is not that of a segment.
    case badName
    /// The record's meta is not that of a segment.
    case badMeta
    /// The ciphertext does not belong to this key, name and header.
    case notAuthentic
    /// The payload has a version unknown to this program: update it.
    case unknownVersion(UInt64)
    /// The declared size is beyond the limit.
    case tooLarge(UInt64)
    /// zstd refused the bytes, or the content does not have the declared length.
    case badCompression
    /// The payload violates the grammar at this byte.
    case malformed(at: Int)
    /// The compressor's output did not decompress to the payload.
    case compressorFault
}
