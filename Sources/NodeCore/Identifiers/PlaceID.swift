/// What a node calls a place where sessions are opened: a zone that it serves, a rendezvous, or its pairing. Never on
/// the wire.
package struct PlaceID: Identifier32 {
    @usableFromInline package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
