/// Names a zone: a replication domain with its own store, keys and vector.
@usableFromInline
package struct ZoneID: Identifier32 {
    @usableFromInline package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
