package import NodeCore

/// The name of a segment's record: `seg.<conversation>.<day>.<writer, hexadecimal>.<sequence>`.
///
/// It is read from its end, since a conversation's id may have dots in it. Numbers are decimal without leading zeros.
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
            let writer = Self.lane(bytes[(second + 1)..<third]),
            let sequence = Self.number(bytes[(third + 1)...])
        else { throw .badName }
        conversationID = conversation
        dayBucket = day
        self.writer = writer
        self.sequence = sequence
        // A name has one spelling: this is what the four parts would give.
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

    private static func lane(_ digits: ArraySlice<UInt8>) -> LaneID? {
        guard digits.count == 2 * LaneID.byteCount else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(LaneID.byteCount)
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            // Lowercase only: a name has one spelling.
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return LaneID(bytes: bytes)
    }
}
