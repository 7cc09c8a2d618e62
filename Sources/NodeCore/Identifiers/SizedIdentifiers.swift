/// An identifier of one kind, kept in a `Bytes16` or `Bytes32`.
@usableFromInline
package protocol StoredIdentifier: Identifier {
    associatedtype Storage: Identifier
    var storage: Storage { get }
    init(_ storage: Storage)
}

/// An identifier of 16 bytes.
@usableFromInline
package protocol Identifier16: StoredIdentifier where Storage == Bytes16 {}

/// An identifier of 32 bytes.
@usableFromInline
package protocol Identifier32: StoredIdentifier where Storage == Bytes32 {}

extension StoredIdentifier {
    @inlinable package static var byteCount: Int { Storage.byteCount }

    @inlinable package static var zero: Self { Self(Storage.zero) }

    @inlinable
    package init(loading source: UnsafeRawPointer) {
        self.init(Storage(loading: source))
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
