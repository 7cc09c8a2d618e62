package import NodeCore
package import SyncState

/// What a segment's record says about it, before it is sealed.
///
///     meta = { 0: 4, 1: name (text), 2: start, 3: end, 4: messages, 5: bytes, 6: payload version, 7: prefixes }
///
/// Deterministic CBOR. `prefixes` has the first four bytes of each message's txid, in the payload's order, so that a
/// hint finds the segment of a message without opening it.
package struct SegmentMeta: Sendable, Equatable {
    /// The type of the record's meta.
    package static let type: UInt64 = 4

    package var name: SegmentName
    /// Least sender's time, seconds.
    package var startTimestamp: UInt64
    /// Greatest sender's time, seconds.
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

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 128 + prefixes.count)
        writer.writeMap(8)
        writer.write(UInt64(0))
        writer.write(Self.type)
        writer.write(UInt64(1))
        writer.write(text: name.text)
        for (key, value) in [
            startTimestamp, endTimestamp, UInt64(messageCount), UInt64(byteCount), payloadVersion,
        ].enumerated() {
            writer.write(UInt64(key + 2))
            writer.write(value)
        }
        writer.write(UInt64(7))
        writer.write(bytes: prefixes)
        return writer.bytes
    }

    /// Reads what `encoded` gives, and refuses everything else.
    package init(decoding bytes: [UInt8]) throws(SegmentError) {
        var reader = CBORReader(bytes)
        do {
            guard try reader.readMap(max: 8) == 8 else { throw SegmentError.badMeta }
            func number(_ key: UInt64, _ limit: UInt64) throws -> UInt64 {
                guard try reader.readUInt() == key else { throw SegmentError.badMeta }
                let value = try reader.readUInt()
                guard value <= limit else { throw SegmentError.badMeta }
                return value
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
        let prefix = txid.bytes.prefix(4)
        return stride(from: 0, to: prefixes.count, by: 4).contains { prefixes[$0..<$0 + 4] == prefix }
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
