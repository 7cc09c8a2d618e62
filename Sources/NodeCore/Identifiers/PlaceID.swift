/// A local handle for a place where sessions are opened: a served zone, a rendezvous, or pairing. Never on the wire.
package struct PlaceID: Identifier32 {
    @usableFromInline package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
