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

/// The text form of identifiers that others make as UUIDs (RFC 9562, §4).
extension Identifier16 {
    /// The 36 characters of a UUID, in either case; nil for anything else.
    package init?(uuid: String) {
        let parts = uuid.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        self.init(hex: parts.joined())
    }

    /// As a UUID in lower case.
    package var uuid: String {
        let hex = Array(hex.utf8)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return parts.map { String(decoding: hex[$0], as: UTF8.self) }.joined(separator: "-")
    }
}
