/// Names a lane: the public Ed25519 key of the one device that writes it. Users know it as the device id.
@usableFromInline
package struct LaneID: Identifier32 {
    @usableFromInline package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
