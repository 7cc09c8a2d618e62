/// Writes the deterministic subset of CBOR that this project uses (RFC 8949 §4.2.1).
///
/// Unsigned and negative numbers, byte strings, text, arrays, maps, false, true and null; no floats, tags or indefinite
/// lengths. Numbers and lengths take their shortest form. The caller must write map keys in ascending order, and as
/// many items as it announced.
@usableFromInline
package struct CBORWriter: Sendable {
    /// The bytes written so far.
    @usableFromInline package var bytes: [UInt8]

    @inlinable
    package init(capacity: Int = 0) {
        bytes = ByteWriter(capacity: capacity).bytes
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

    /// Several items, one after the other.
    package mutating func write<each Value: CBORValue>(_ values: repeat each Value) {
        for value in repeat each values { value.write(to: &self) }
    }

    /// A pair of a map, unless the value is absent.
    package mutating func write(_ key: UInt64, ifPresent value: (some CBORValue)?) {
        if let value { write(key, value) }
    }

    /// An array of these items.
    package mutating func write<each Value: CBORValue>(array values: repeat each Value) {
        var count = 0
        for _ in repeat each values { count += 1 }
        writeArray(count)
        for value in repeat each values { value.write(to: &self) }
    }

    /// An array of any number of items.
    package mutating func write(all values: some Collection<some CBORValue>) {
        writeArray(values.count)
        for value in values { value.write(to: &self) }
    }

    /// The bytes of an array of these items.
    package static func array<each Value: CBORValue>(capacity: Int = 64, _ values: repeat each Value) -> [UInt8] {
        var writer = CBORWriter(capacity: capacity)
        writer.write(array: repeat each values)
        return writer.bytes
    }

    /// Appends items that are already encoded.
    @inlinable
    package mutating func raw(_ encoded: [UInt8]) { bytes.append(contentsOf: encoded) }

    /// The head of an item: its type in the top three bits, and a number in its shortest form.
    @inlinable
    package mutating func writeHead(_ type: UInt8, _ value: UInt64) {
        if value < 24 {
            bytes.append(type | UInt8(truncatingIfNeeded: value))
        } else {
            writeLongHead(type, value)
        }
    }

    /// A head whose number follows the first byte in 1, 2, 4 or 8 bytes.
    @usableFromInline
    mutating func writeLongHead(_ type: UInt8, _ value: UInt64) {
        let code: UInt8 = value <= 0xFF ? 0 : value <= 0xFFFF ? 1 : value <= 0xFFFF_FFFF ? 2 : 3
        let size = 1 << Int(code)
        bytes.append(type | (24 + code))
        // The number's last `size` bytes.
        withUnsafeBytes(of: value.bigEndian) { number in
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: number[(8 - size)...]))
        }
    }
}
