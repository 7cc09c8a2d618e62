package import NodeCore

/// The key of one device in one zone: that of its lane.
///
/// It is derived from the device's secret and a random tag: a new one in each zone and for each fresh start, so that a
/// device's keys in two zones have nothing in common that a peer could compare (docs/PROTOCOL.md, §3.3). It does not
/// depend on the zone, whose id may depend on it: a group's genesis names the founder's lane.
package struct DeviceKeys: Sendable {
    /// Random. Kept in the zone's store, so that the lane changes in the commit of the fresh start.
    package let tag: Bytes16
    package let signing: Ed25519.KeyPair
    package let lane: LaneID
    /// Roots are sealed to it.
    package let sealing: X25519.KeyPair

    package init(deviceSecret: Secret, tag: Bytes16) {
        self.tag = tag
        signing = Ed25519.KeyPair(seed: HKDF.derive(deviceSecret, "device/lane", tag.bytes))
        lane = LaneID(signing.publicKey)
        sealing = X25519.KeyPair(secret: HKDF.derive(deviceSecret, "device/seal", tag.bytes))
    }
}
