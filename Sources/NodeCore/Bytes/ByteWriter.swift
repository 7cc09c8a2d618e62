/// Appends numbers (big-endian) and bytes to one growing array.
@usableFromInline
package struct ByteWriter: Sendable {
    /// The bytes written so far.
    @usableFromInline package var bytes: [UInt8]

    @inlinable
    package init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    @inlinable
    package mutating func write(u8 value: UInt8) { bytes.append(value) }

    @inlinable
    package mutating func write(u16 value: UInt16) { append(value.bigEndian) }

    @inlinable
    package mutating func write(u32 value: UInt32) { append(value.bigEndian) }

    @inlinable
    package mutating func write(u64 value: UInt64) { append(value.bigEndian) }

    @inlinable
    package mutating func write(_ value: [UInt8]) { bytes.append(contentsOf: value) }

    @inlinable
    package mutating func write(_ value: UnsafeRawBufferPointer) { bytes.append(contentsOf: value) }

    @inlinable
    package mutating func write(_ value: some Identifier) {
        value.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    @inlinable
    @inline(__always)
    package mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ value: Number) {
        Swift.withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
}

extension [UInt8] {
    /// The low `count` bytes of a value, most significant first.
    package init(bigEndianBytesOf value: UInt64, count: Int) {
        self = Swift.withUnsafeBytes(of: value.bigEndian) { [UInt8]($0.suffix(count)) }
    }
}
