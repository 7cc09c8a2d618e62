import NodeCore

/// So many blobs, what their records say of the messages in them, and the bytes of the sealed blobs.
package struct BlobSum: Hashable, Sendable {
    package internal(set) var blobs = 0
    package internal(set) var messages = 0
    package internal(set) var bytes = 0

    package init() {}

    package init(blobs: Int, messages: Int, bytes: Int) {
        self.blobs = blobs
        self.messages = messages
        self.bytes = bytes
    }

    package static func + (one: BlobSum, other: BlobSum) -> BlobSum {
        BlobSum(blobs: one.blobs + other.blobs, messages: one.messages + other.messages, bytes: one.bytes + other.bytes)
    }

    /// Never below nothing: a sum that rot made wrong is counted anew by the scrub, and must not stop the node.
    package static func - (one: BlobSum, other: BlobSum) -> BlobSum {
        BlobSum(
            blobs: max(0, one.blobs - other.blobs), messages: max(0, one.messages - other.messages),
            bytes: max(0, one.bytes - other.bytes))
    }
}

/// How much the records of one lane point to, here and still to come. Kept with each change and written with the
/// lane's row, so that a restore's progress costs no count.
package struct LaneContent: Hashable, Sendable {
    package var held = BlobSum()
    package var wanted = BlobSum()
    /// The time of the newest message of any segment that was seen, in seconds; 0 where there was none.
    package var newest: Int64 = 0

    init() {}

    var encoded: [UInt8] {
        var writer = ByteWriter(capacity: 56)
        for number in [held.blobs, held.messages, held.bytes, wanted.blobs, wanted.messages, wanted.bytes] {
            writer.write(u64: UInt64(number))
        }
        writer.write(u64: UInt64(bitPattern: newest))
        return writer.bytes
    }

    /// Nil for what is not of this form: then it is counted anew.
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
            try reader.finish()
        } catch {
            return nil
        }
    }
}
