package import NodeCore

/// A zone this node serves, as presence needs to know it.
package struct PresenceZone: Sendable {
    package let zone: ZoneID
    /// `K_disc` of the versions this node recognises, its own first: that one it speaks with.
    package let discoveryKeys: [Secret]
    /// The digest of the durable vector.
    package let digest: ZoneDigest
    package let part: Part
    /// Everybody knows its keys: they prove nothing of who speaks.
    let isPublic: Bool
    /// How many of the keys, from the first on, own beacons speak with.
    let spokenKeys: Int

    /// What beacons have to do with the zone.
    package enum Part: Sendable {
        /// They speak of it, and those of others are recognised.
        case both
        /// They speak of it: who seeks, and need not recognise others who do.
        case speaks
        /// Only those of others are recognised: who looks for seekers.
        case listens
    }

    /// - Precondition: there is a key.
    package init(
        zone: ZoneID, discoveryKeys: [Secret], digest: ZoneDigest, part: Part = .both, isPublic: Bool = false,
        spokenKeys: Int = 1
    ) {
        precondition(!discoveryKeys.isEmpty, "invariant: a zone has a discovery key")
        self.zone = zone
        self.discoveryKeys = discoveryKeys
        self.digest = digest
        self.part = part
        self.isPublic = isPublic
        self.spokenKeys = spokenKeys
    }

    var isSpokenOf: Bool { part != .listens }
    var isRecognised: Bool { part != .speaks }

    func with(digest: ZoneDigest) -> PresenceZone {
        PresenceZone(
            zone: zone, discoveryKeys: discoveryKeys, digest: digest, part: part, isPublic: isPublic,
            spokenKeys: spokenKeys)
    }
}
