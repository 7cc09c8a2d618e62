package import NodeCore

/// A place of this node, as presence needs to know it.
package struct PresencePlace: Sendable {
    package let place: PlaceID
    /// `K_disc` of the versions this node recognises, its own first: that one it speaks with.
    package let discoveryKeys: [Secret]
    /// The digest of the durable vector.
    package let digest: ZoneDigest
    package let part: Part
    /// Everybody knows its keys: they prove nothing of who speaks.
    let isPublic: Bool
    /// How many of the keys, from the first on, own beacons speak with.
    let spokenKeys: Int

    /// What beacons have to do with the place.
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
        place: PlaceID, discoveryKeys: [Secret], digest: ZoneDigest, part: Part = .both, isPublic: Bool = false,
        spokenKeys: Int = 1
    ) {
        precondition(!discoveryKeys.isEmpty, "invariant: a place has a discovery key")
        self.place = place
        self.discoveryKeys = discoveryKeys
        self.digest = digest
        self.part = part
        self.isPublic = isPublic
        self.spokenKeys = spokenKeys
    }

    var isSpokenOf: Bool { part != .listens }
    var isRecognised: Bool { part != .speaks }

    func with(digest: ZoneDigest) -> PresencePlace {
        PresencePlace(
            place: place, discoveryKeys: discoveryKeys, digest: digest, part: part, isPublic: isPublic,
            spokenKeys: spokenKeys)
    }
}
