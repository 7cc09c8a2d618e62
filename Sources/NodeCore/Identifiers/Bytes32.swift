/// 32 bytes stored inline: the storage of hashes, keys and 32-byte identifiers.
@usableFromInline
package struct Bytes32: Identifier {
    /// The bytes as four big-endian numbers, the first eight bytes in `w0`: comparing them compares the bytes.
    @usableFromInline package let w0: UInt64
    @usableFromInline package let w1: UInt64
    @usableFromInline package let w2: UInt64
    @usableFromInline package let w3: UInt64

    @inlinable package static var byteCount: Int { 32 }

    @inlinable package static var zero: Bytes32 { Bytes32(0, 0, 0, 0) }

    @inlinable
    package init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        (self.w0, self.w1, self.w2, self.w3) = (w0, w1, w2, w3)
    }

    @inlinable
    package init(loading source: UnsafeRawPointer) {
        w0 = UInt64(bigEndian: source.loadUnaligned(as: UInt64.self))
        w1 = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        w2 = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        w3 = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    }

    @inlinable
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let wire = (w0.bigEndian, w1.bigEndian, w2.bigEndian, w3.bigEndian)
        return try Swift.withUnsafeBytes(of: wire, body)
    }

    @inlinable
    package static func < (left: Bytes32, right: Bytes32) -> Bool {
        if left.w0 != right.w0 { return left.w0 < right.w0 }
        if left.w1 != right.w1 { return left.w1 < right.w1 }
        if left.w2 != right.w2 { return left.w2 < right.w2 }
        return left.w3 < right.w3
    }

    @inlinable
    package static func == (left: Bytes32, right: Bytes32) -> Bool {
        (left.w0 ^ right.w0) | (left.w1 ^ right.w1) | (left.w2 ^ right.w2) | (left.w3 ^ right.w3) == 0
    }

    @inlinable
    package func hash(into hasher: inout Hasher) {
        hasher.combine(w0)
        hasher.combine(w1)
        hasher.combine(w2)
        hasher.combine(w3)
    }
}
