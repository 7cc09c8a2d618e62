/// Writes the deterministic subset of CBOR that this project speaks (RFC 8949 §4.2.1).
///
/// Unsigned and negative numbers, byte strings, text, arrays, maps and false, true, null; no floats, no tags, no
/// indefinite lengths. Numbers and lengths take their shortest form. The caller writes map keys in ascending order
/// and as many items as it announced.
package struct CBORWriter: Sendable {
    /// What was written so far.
    package var bytes: [UInt8]

    @inlinable
    package init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    @inlinable
    package mutating func write(_ value: UInt64) { writeHead(0x00, value) }

    @inlinable
    package mutating func write(_ value: Int64) {
        if value >= 0 {
            writeHead(0x00, UInt64(value))
        } else {
            writeHead(0x20, UInt64(bitPattern: ~value))
        }
    }

    @inlinable
    package mutating func write(_ value: Int) { write(Int64(value)) }

    @inlinable
    package mutating func write(bytes value: [UInt8]) {
        writeHead(0x40, UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    @inlinable
    package mutating func write(bytes value: ArraySlice<UInt8>) {
        writeHead(0x40, UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    @inlinable
    package mutating func write(bytes value: UnsafeRawBufferPointer) {
        writeHead(0x40, UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// An identifier is a byte string.
    @inlinable
    package mutating func write(_ value: some Identifier) {
        value.withUnsafeBytes { write(bytes: $0) }
    }

    package mutating func write(text value: String) {
        writeHead(0x60, UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    @inlinable
    package mutating func write(_ value: Bool) { bytes.append(value ? 0xF5 : 0xF4) }

    @inlinable
    package mutating func writeNull() { bytes.append(0xF6) }

    /// Announces `count` items.
    @inlinable
    package mutating func writeArray(_ count: Int) { writeHead(0x80, UInt64(count)) }

    /// Announces `count` pairs of a key (an unsigned number) and an item.
    @inlinable
    package mutating func writeMap(_ count: Int) { writeHead(0xA0, UInt64(count)) }

    /// Appends items that are encoded already.
    @inlinable
    package mutating func raw(_ encoded: [UInt8]) { bytes.append(contentsOf: encoded) }

    @inlinable
    package mutating func raw(_ encoded: UnsafeRawBufferPointer) { bytes.append(contentsOf: encoded) }

    /// The head of an item: its type in the top three bits, and a number in its shortest form.
    @inlinable
    package mutating func writeHead(_ type: UInt8, _ value: UInt64) {
        switch value {
        case 0..<24:
            bytes.append(type | UInt8(truncatingIfNeeded: value))
        case 24...0xFF:
            bytes.append(type | 24)
            bytes.append(UInt8(truncatingIfNeeded: value))
        case 0x100...0xFFFF:
            bytes.append(type | 25)
            withUnsafeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian) { bytes.append(contentsOf: $0) }
        case 0x1_0000...0xFFFF_FFFF:
            bytes.append(type | 26)
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { bytes.append(contentsOf: $0) }
        default:
            bytes.append(type | 27)
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }
    }
}
