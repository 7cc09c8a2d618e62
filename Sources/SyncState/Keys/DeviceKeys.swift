package import NodeCore

/// The key of one device in one zone: that of its lane.
///
/// It is derived from the device's secret, the zone and a tag. A fresh start draws a new tag and so makes a new key; a
/// device's keys in two zones have nothing in common that a peer could compare (docs/PROTOCOL.md, §3.3).
package struct DeviceKeys: Sendable {
    /// Random. Kept in the zone's store, so that the lane changes in the commit of the fresh start.
    package let tag: Bytes16
    package let signing: Ed25519.KeyPair
    package let lane: LaneID
    /// Roots are sealed to it.
    package let sealing: X25519.KeyPair

    package init(deviceSecret: Secret, zone: ZoneID, tag: Bytes16) {
        self.tag = tag
        let context = zone.bytes + tag.bytes
        signing = Ed25519.KeyPair(seed: HKDF.derive(deviceSecret, "device/lane", context))
        lane = LaneID(signing.publicKey)
        sealing = X25519.KeyPair(secret: HKDF.derive(deviceSecret, "device/seal", context))
    }
}
