/// 16 bytes stored inline: the storage of tags, digests and 16-byte identifiers.
@usableFromInline
package struct Bytes16: Identifier {
    /// The bytes as two big-endian numbers, the first eight bytes in `w0`: comparing them compares the bytes.
    @usableFromInline package let w0: UInt64
    @usableFromInline package let w1: UInt64

    @inlinable package static var byteCount: Int { 16 }

    @inlinable package static var zero: Bytes16 { Bytes16(0, 0) }

    @inlinable
    package init(_ w0: UInt64, _ w1: UInt64) {
        (self.w0, self.w1) = (w0, w1)
    }

    @inlinable
    package init(loading source: UnsafeRawPointer) {
        w0 = UInt64(bigEndian: source.loadUnaligned(as: UInt64.self))
        w1 = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    @inlinable
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let wire = (w0.bigEndian, w1.bigEndian)
        return try Swift.withUnsafeBytes(of: wire, body)
    }

    @inlinable
    package static func < (left: Bytes16, right: Bytes16) -> Bool {
        left.w0 != right.w0 ? left.w0 < right.w0 : left.w1 < right.w1
    }

    @inlinable
    package static func == (left: Bytes16, right: Bytes16) -> Bool {
        (left.w0 ^ right.w0) | (left.w1 ^ right.w1) == 0
    }

    @inlinable
    package func hash(into hasher: inout Hasher) {
        hasher.combine(w0)
        hasher.combine(w1)
    }
}
