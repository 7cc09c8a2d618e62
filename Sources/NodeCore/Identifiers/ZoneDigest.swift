/// A hash of a zone's vector: equal when two nodes have nothing to tell each other.
@usableFromInline
package struct ZoneDigest: Identifier16 {
    @usableFromInline package let storage: Bytes16

    @inlinable
    package init(_ storage: Bytes16) { self.storage = storage }
}
