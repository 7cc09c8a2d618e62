/// The widths of a packed index: the layout of an entry, and how keys compare.
///
/// An entry is a key followed by its value, without padding. Keys compare as byte strings; numbers in them are
/// big-endian, so that they compare as numbers.
package struct PackedLayout: Sendable, Equatable {
    package let keyBytes: Int
    package let valueBytes: Int

    package init(keyBytes: Int, valueBytes: Int) {
        precondition(
            (1...Limits.packedKeyBytes).contains(keyBytes) && (0...Limits.packedKeyBytes).contains(valueBytes),
            "invariant: widths of a packed index are in range")
        self.keyBytes = keyBytes
        self.valueBytes = valueBytes
    }

    package var entryBytes: Int { keyBytes + valueBytes }

    /// Maximum number of entries in a leaf.
    var capacity: Int { Limits.leafBytes / entryBytes }

    /// Negative, zero or positive if the key at `left` is below, equal to or above the key at `right`.
    @inline(__always)
    func compare(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Int {
        var offset = 0
        while offset + 8 <= keyBytes {
            let l = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let r = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            if l != r { return l < r ? -1 : 1 }
            offset += 8
        }
        if offset + 4 <= keyBytes {
            let l = UInt32(bigEndian: left.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let r = UInt32(bigEndian: right.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            if l != r { return l < r ? -1 : 1 }
            offset += 4
        }
        while offset < keyBytes {
            let l = left.load(fromByteOffset: offset, as: UInt8.self)
            let r = right.load(fromByteOffset: offset, as: UInt8.self)
            if l != r { return l < r ? -1 : 1 }
            offset += 1
        }
        return 0
    }

    /// The first of `range` among the entries at `base` whose key is not below `key`.
    ///
    /// Gallops from the start of the range, since a merge asks for keys that are close to each other.
    @inline(__always)
    func lowerBound(of key: UnsafeRawPointer, in base: UnsafeRawPointer, _ range: Range<Int>, stride: Int) -> Int {
        var low = range.lowerBound
        var step = 1
        var high = low
        while high < range.upperBound, compare(base + high * stride, key) < 0 {
            low = high + 1
            high = low + step
            step *= 2
        }
        high = min(high, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if compare(base + middle * stride, key) < 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

/// Numbers of the packed trees in an account's database. Numbers are never reused.
package enum PackedTree {
    /// Hash of a txid → location of the message.
    package static let messageByTxid: Int64 = 1
    /// Conversation, order, txid prefix, location → time and flags.
    package static let messageOrder: Int64 = 2
    /// Hash of a txid, location: further copies of a message.
    package static let messageCopies: Int64 = 3
}
