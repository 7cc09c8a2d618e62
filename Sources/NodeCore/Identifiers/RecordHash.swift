/// BLAKE2b-256 of a record's canonical encoding.
package struct RecordHash: Identifier32 {
    package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
