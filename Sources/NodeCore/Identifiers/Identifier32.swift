/// An identifier of 32 bytes, kept in a `Bytes32`.
@usableFromInline
package protocol Identifier32: Identifier {
    var storage: Bytes32 { get }
    init(_ storage: Bytes32)
}

extension Identifier32 {
    @inlinable package static var byteCount: Int { Bytes32.byteCount }

    /// All bytes zero: stands for "none" where a byte format has no absent value.
    @inlinable package static var zero: Self { Self(Bytes32.zero) }

    @inlinable
    package init(loading source: UnsafeRawPointer) {
        self.init(Bytes32(loading: source))
    }

    @inlinable
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeBytes(body)
    }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.storage < right.storage }

    @inlinable
    package static func == (left: Self, right: Self) -> Bool { left.storage == right.storage }

    @inlinable
    package func hash(into hasher: inout Hasher) { storage.hash(into: &hasher) }
}
