/// A fixed number of bytes that names something, stored inline and ordered lexicographically by its bytes.
///
/// Conforming types are distinct on purpose: a `ZoneID` can never be passed where a `LaneID` is wanted.
@usableFromInline
package protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible, CBORValue {
    /// How many bytes a value has: 16 or 32.
    static var byteCount: Int { get }

    /// All bytes zero: stands for "none" where a byte format has no absent value.
    static var zero: Self { get }

    /// Reads `byteCount` bytes that the caller has checked to be there; no alignment is needed.
    init(loading source: UnsafeRawPointer)

    /// Lends the bytes in their order on the wire; the pointer must not outlive `body`.
    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

extension Identifier {
    /// The value of exactly `byteCount` bytes; nil for any other number.
    @inlinable
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        // invariant: a contiguous collection of byteCount (more than 0) bytes has a base address
        let loaded = bytes.withContiguousStorageIfAvailable { Self(loading: UnsafeRawPointer($0.baseAddress!)) }
        if let loaded {
            self = loaded
        } else {
            // invariant: as above, for the copy of any other collection
            self = Array(bytes).withUnsafeBytes { Self(loading: $0.baseAddress!) }
        }
    }

    /// The value written as `2 * byteCount` hexadecimal digits of either case; nil for anything else.
    package init?(hex: String) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// The bytes in their order on the wire.
    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Lowercase hexadecimal, `2 * byteCount` digits.
    package var hex: String { withUnsafeBytes { Hex.encode($0) } }

    /// The first eight hexadecimal digits: enough for a log line.
    package var shortHex: String { String(hex.prefix(8)) }

    @usableFromInline package var description: String { hex }
}
