package import NodeCore

/// One of this node's places, as presence sees it.
package struct PresencePlace: Sendable {
    package let place: PlaceID
    /// `K_disc` of the versions this node recognises. The first is its own, used in its beacons.
    package let discoveryKeys: [Secret]
    /// The digest of the durable vector.
    package let digest: ZoneDigest
    package let part: Part
    /// Its keys are public: they prove nothing about the sender.
    let isPublic: Bool
    /// Number of leading keys that our beacons use.
    let spokenKeys: Int
    /// The number of these keys that beacons use at all times. The others are for devices that rotated apart from us,
    /// and show a removed device that we are near: beacons use them for a while after a start, a wake-up or a change of
    /// network only.
    let lastingKeys: Int

    /// How beacons treat the place.
    package enum Part: Sendable {
        /// Our beacons contain it, and those of others are recognised.
        case both
        /// Our beacons contain it: for a seeker, which dials the nodes that echo it, and need not recognise other
        /// seekers.
        case speaks
        /// Only beacons of others are recognised, and echoed: for members looking for seekers.
        case listens
    }

    /// - Precondition: `discoveryKeys` is not empty.
    package init(
        place: PlaceID, discoveryKeys: [Secret], digest: ZoneDigest, part: Part = .both, isPublic: Bool = false,
        spokenKeys: Int = 1, lastingKeys: Int? = nil
    ) {
        precondition(!discoveryKeys.isEmpty, "invariant: a place has a discovery key")
        self.place = place
        self.discoveryKeys = discoveryKeys
        self.digest = digest
        self.part = part
        self.isPublic = isPublic
        self.spokenKeys = spokenKeys
        self.lastingKeys = lastingKeys ?? spokenKeys
    }

    var isSpokenOf: Bool { part != .listens }
    var isRecognised: Bool { part != .speaks }
    /// Whether somebody waits: for a device to pair with, or for members to let it in.
    var isPressing: Bool { isPublic || part != .both }

    func echoKey(_ number: Int) -> Presence.EchoKey {
        Presence.EchoKey(place: place, key: discoveryKeys[number], isPressing: isPressing)
    }

    func with(digest: ZoneDigest) -> PresencePlace {
        PresencePlace(
            place: place, discoveryKeys: discoveryKeys, digest: digest, part: part, isPublic: isPublic,
            spokenKeys: spokenKeys, lastingKeys: lastingKeys)
    }
}

/// One of our addresses on one usable interface, with its own beacons and Trickle timer.
package struct PresenceLink: Hashable, Comparable, Sendable {
    package let interfaceIndex: UInt32
    /// The source address of datagrams sent here; its port is 0.
    package let address: SocketAddress

    package init(interfaceIndex: UInt32, address: SocketAddress) {
        self.interfaceIndex = interfaceIndex
        self.address = address.unmapped.with(port: 0)
    }

    package static func < (left: PresenceLink, right: PresenceLink) -> Bool {
        (left.interfaceIndex, left.address) < (right.interfaceIndex, right.address)
    }
}

/// A beacon of a node in one of our places was heard, and echoes our present id: it is there now, and no recording.
package struct PeerSighting: Hashable, Sendable {
    package let place: PlaceID
    /// The index of the place's key that made its tag, or its echo: 0 is that of our version.
    package let key: Int
    /// The address on which it accepts sessions.
    package let address: SocketAddress
    /// Its digest equals ours.
    package let isInSync: Bool
    /// The first echo under its id and ours: one of the two has started, moved or rotated its id, so earlier failures
    /// to reach it mean little.
    package let isNewID: Bool
    /// If two nodes hear each other, the one with the lower beacon id dials. True if we are the other one, and dial
    /// only if no session comes about.
    package let dialsSecond: Bool
}
