/// An identifier of 16 bytes, kept in a `Bytes16`.
@usableFromInline
package protocol Identifier16: Identifier {
    var storage: Bytes16 { get }
    init(_ storage: Bytes16)
}

extension Identifier16 {
    @inlinable package static var byteCount: Int { Bytes16.byteCount }

    /// All bytes zero: stands for "none" where a byte format has no absent value.
    @inlinable package static var zero: Self { Self(Bytes16.zero) }

    @inlinable
    package init(loading source: UnsafeRawPointer) {
        self.init(Bytes16(loading: source))
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
