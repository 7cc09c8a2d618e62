/// BLAKE2b-256 of a record's canonical encoding.
@usableFromInline
package struct RecordHash: Identifier32 {
    @usableFromInline package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
