package import NodeCore

/// A zone this node serves, as presence needs to know it.
package struct PresenceZone: Sendable {
    package let zone: ZoneID
    /// `K_disc` of the versions this node recognises, its own first: that one it speaks with.
    package let discoveryKeys: [Secret]
    /// The digest of the durable vector.
    package let digest: ZoneDigest

    /// - Precondition: there is a key.
    package init(zone: ZoneID, discoveryKeys: [Secret], digest: ZoneDigest) {
        precondition(!discoveryKeys.isEmpty, "invariant: a zone has a discovery key")
        self.zone = zone
        self.discoveryKeys = discoveryKeys
        self.digest = digest
    }
}
