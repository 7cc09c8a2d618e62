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

/// One own address on one usable interface: beacons are made for it, and Trickle runs for it.
package struct PresenceLink: Hashable, Comparable, Sendable {
    package let interfaceIndex: UInt32
    /// The address that a datagram sent here shows as its source; its port is 0.
    package let address: SocketAddress

    package init(interfaceIndex: UInt32, address: SocketAddress) {
        self.interfaceIndex = interfaceIndex
        self.address = address.unmapped.with(port: 0)
    }

    package static func < (left: PresenceLink, right: PresenceLink) -> Bool {
        (left.interfaceIndex, left.address) < (right.interfaceIndex, right.address)
    }
}

/// A beacon of somebody was heard who is met at one of our places.
package struct PeerSighting: Hashable, Sendable {
    package let place: PlaceID
    /// Which of the place's keys its tag was made with: 0 is the own version's.
    package let key: Int
    /// Where it accepts sessions.
    package let address: SocketAddress
    /// Its digest is ours.
    package let isInSync: Bool
    /// Its id was not known: it has started, moved or rotated, so earlier failures to reach it say little.
    package let isNewID: Bool
    /// Of two that hear each other the one with the lower beacon id dials at once; true means that we are the other and
    /// wait a moment.
    package let dialsSecond: Bool

    package init(
        place: PlaceID, key: Int, address: SocketAddress, isInSync: Bool, isNewID: Bool, dialsSecond: Bool
    ) {
        self.place = place
        self.key = key
        self.address = address
        self.isInSync = isInSync
        self.isNewID = isNewID
        self.dialsSecond = dialsSecond
    }
}
