import NodeCore

/// A number of blobs, their messages according to their records, and the size of the sealed blobs.
package struct BlobSum: Hashable, Sendable {
    package internal(set) var blobs = 0
    package internal(set) var messages = 0
    package internal(set) var bytes = 0

    package init() {}

    package init(blobs: Int, messages: Int, bytes: Int) {
        (self.blobs, self.messages, self.bytes) = (blobs, messages, bytes)
    }

    package static func + (one: BlobSum, other: BlobSum) -> BlobSum {
        BlobSum(blobs: one.blobs + other.blobs, messages: one.messages + other.messages, bytes: one.bytes + other.bytes)
    }

    /// Clamped at zero: a sum made wrong by rot is recounted by the scrub, and must not stop the node.
    package static func - (one: BlobSum, other: BlobSum) -> BlobSum {
        BlobSum(
            blobs: max(0, one.blobs - other.blobs), messages: max(0, one.messages - other.messages),
            bytes: max(0, one.bytes - other.bytes))
    }
}

/// Totals of the content that the records of one lane point to, present and still missing. Updated with each change and
/// written with the lane's row, so that a restore's progress needs no counting.
package struct LaneContent: Hashable, Sendable {
    package var held = BlobSum()
    package var wanted = BlobSum()
    /// The time of the newest message of any segment seen, in seconds; 0 if there was none.
    package var newest: Int64 = 0
    /// Records of types that this version does not know.
    package var unknown = 0

    init() {}

    var encoded: [UInt8] {
        var writer = ByteWriter(capacity: 64)
        for number in [held.blobs, held.messages, held.bytes, wanted.blobs, wanted.messages, wanted.bytes] {
            writer.write(u64: UInt64(number))
        }
        writer.write(u64: UInt64(bitPattern: newest))
        writer.write(u64: UInt64(unknown))
        return writer.bytes
    }

    /// Nil if the bytes do not have this form; the lane is then recounted.
    init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        do {
            var numbers: [Int] = []
            for _ in 0..<6 {
                guard let number = Int(exactly: try reader.readU64()) else { return nil }
                numbers.append(number)
            }
            held = BlobSum(blobs: numbers[0], messages: numbers[1], bytes: numbers[2])
            wanted = BlobSum(blobs: numbers[3], messages: numbers[4], bytes: numbers[5])
            newest = Int64(bitPattern: try reader.readU64())
            // An earlier version did not count them.
            guard reader.remaining > 0 else { return }
            guard let number = Int(exactly: try reader.readU64()) else { return nil }
            unknown = number
            try reader.finish()
        } catch {
            return nil
        }
    }
}
