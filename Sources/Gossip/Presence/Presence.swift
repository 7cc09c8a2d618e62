package import NodeCore

/// Finds the nodes of our zones on the local network, and is found by them.
///
/// Beacons go out on every link at Trickle's pace (RFC 6206): at once after a change, a difference, a wake-up or a
/// change of the network, ever more rarely while everybody agrees, and not at all where enough others have said the
/// same. A pure machine: time comes in with each event, randomness with `init`, and what is to be done comes back as
/// actions.
package struct Presence {
    /// A link and its pace.
    struct LinkState {
        let link: PresenceLink
        var trickle: Trickle
        /// For each of our places, in their order, the beacons in sync that this interval brought. A beacon of ours is
        /// superfluous only when each of our places has been spoken for.
        var heard: [Int]
    }

    /// A recognised id.
    struct Known {
        var counter: UInt64
        var heardAt: MonotonicTime
        /// Zones in which it differed when last heard.
        var differences: [PlaceID: Difference] = [:]
    }

    /// A difference that lasts must not keep us talking at the shortest interval for ever: each reset that it causes
    /// doubles the time to the next, until the peer agrees once or our own digest moves.
    struct Difference {
        var nextReset: MonotonicTime
        var pause: Duration
    }

    var random: any RandomSource
    var places: [PresencePlace] = []
    /// When a stranger's beacon last made one who seeks speak.
    var soughtAt: MonotonicTime?
    var links: [LinkState] = []
    var known: [BeaconID: Known] = [:]
    /// Ids recognised by nothing but a public key: anybody may claim any id with it, so that counts for nothing else.
    var claimed: [BeaconID: Known] = [:]
    var budget: DatagramBudget
    private(set) var ownIDs: [BeaconID] = []
    private var idExpiresAt: MonotonicTime
    private var counter: UInt64 = 0
    private var port: UInt16?

    package internal(set) var statistics = PresenceStatistics()
    /// Counts by interface, of every interface there was.
    package internal(set) var linkStatistics: [UInt32: PresenceStatistics.Link] = [:]

    package init(now: MonotonicTime, random: any RandomSource) {
        self.random = random
        budget = DatagramBudget(now: now)
        idExpiresAt = now + Limits.idLifetime
        ownIDs = [self.random.identifier()]
    }

    /// When `onTimer` has something to do. Nil: nothing to say, or nowhere to say it.
    package var deadline: MonotonicTime? {
        !places.contains(where: \.isSpokenOf) || port == nil ? nil : links.map(\.trickle.deadline).min()
    }

    /// Hashes that one datagram may cost: a tag for each key, and a check for each place.
    var hashesPerDatagram: Int {
        places.reduce(2) { $0 + ($1.isRecognised ? $1.discoveryKeys.count + 1 : 0) }
    }

    /// Nothing was heard of each place that is spoken of. The others ask for no beacon of ours.
    var unheard: [Int] { places.map { $0.isSpokenOf ? 0 : .max } }

    // MARK: Events

    /// The TCP port on which sessions are accepted. Until it is known nothing is sent.
    package mutating func onListening(port: UInt16) {
        self.port = port
    }

    /// The usable interfaces or their addresses have changed: the full list. New ones speak soon; the id changes, so
    /// that a device cannot be followed from one network to the next.
    package mutating func onLinks(_ list: [PresenceLink], now: MonotonicTime) {
        let sorted = Set(list).sorted()
        guard sorted != links.map(\.link) else { return }
        rotateID(now: now)
        links = sorted.map { newLinkState($0, now: now) }
    }

    /// The machine woke up, or the network changed in a way that left the addresses as they are.
    package mutating func onWake(now: MonotonicTime) {
        rotateID(now: now)
        links = links.map { newLinkState($0.link, now: now) }
    }

    /// The places served, or their keys, have changed: the full list.
    package mutating func onPlaces(_ list: [PresencePlace], now: MonotonicTime) {
        places = list.sorted { $0.place < $1.place }
        let served = Set(places.map(\.place))
        known = known.mapValues { entry in
            var entry = entry
            entry.differences = entry.differences.filter { served.contains($0.key) }
            return entry
        }
        if !places.contains(where: \.isPublic) { claimed = [:] }
        for index in links.indices {
            _ = links[index].trickle.announce(now: now, random: &random)
            links[index].heard = unheard
        }
    }

    /// The durable vector of a place has changed. `isLocal`: by a write of this node, so that nobody can know it yet.
    package mutating func onDigest(_ digest: ZoneDigest, place: PlaceID, isLocal: Bool, now: MonotonicTime) {
        guard let placeIndex = places.firstIndex(where: { $0.place == place }), places[placeIndex].digest != digest
        else {
            return
        }
        places[placeIndex] = places[placeIndex].with(digest: digest)
        for id in known.keys.sorted() { known[id]?.differences[place] = nil }
        for index in links.indices {
            // What was heard agreed with the digest of before.
            links[index].heard[placeIndex] = 0
            links[index].trickle.setHeard(links[index].heard.min() ?? 0)
            let began =
                isLocal
                ? links[index].trickle.announce(now: now, random: &random)
                : links[index].trickle.reset(now: now, random: &random)
            if began { links[index].heard = unheard }
        }
    }

    /// Sends the beacons that are due.
    package mutating func onTimer(now: MonotonicTime) -> [PresenceAction] {
        guard places.contains(where: \.isSpokenOf), let port else { return [] }
        var actions: [PresenceAction] = []
        for index in links.indices where links[index].trickle.deadline <= now {
            let link = links[index].link
            for step in links[index].trickle.onTimer(now: now, random: &random) {
                switch step {
                case .began:
                    links[index].heard = unheard
                case .suppressed:
                    linkStatistics[link.interfaceIndex, default: .init()].suppressed += 1
                case .transmit:
                    linkStatistics[link.interfaceIndex, default: .init()].sent += 1
                    actions.append(.send(beacon(host: link.address, port: port, now: now), link))
                }
            }
        }
        return actions
    }

    // MARK: Sending

    private mutating func beacon(host: SocketAddress, port: UInt16, now: MonotonicTime) -> [UInt8] {
        if now >= idExpiresAt { rotateID(now: now) }
        counter += 1
        let header = Beacon.Header(id: ownIDs[ownIDs.count - 1], counter: counter, port: port)
        let most = Limits.paddedEntries[Limits.paddedEntries.count - 1]
        // Who serves more places than a beacon holds names some at a time, and all of them after a few.
        let spoken = places.filter(\.isSpokenOf).flatMap { place in
            place.discoveryKeys.prefix(place.spokenKeys).map { (key: $0, digest: place.digest) }
        }
        let named = spoken.count > most ? Array(spoken.shuffled(using: &random).prefix(most)) : spoken
        return BeaconCodec.encode(
            header, host: host, zones: named, random: &random)
    }

    private mutating func rotateID(now: MonotonicTime) {
        ownIDs.append(random.identifier())
        if ownIDs.count > Limits.ownIDsRemembered { ownIDs.removeFirst() }
        counter = 0
        idExpiresAt = now + Limits.idLifetime
    }

    private mutating func newLinkState(_ link: PresenceLink, now: MonotonicTime) -> LinkState {
        LinkState(link: link, trickle: Trickle(now: now, random: &random), heard: unheard)
    }
}

/// What presence asks of its surroundings.
package enum PresenceAction: Hashable, Sendable {
    /// Send these bytes to the group and broadcast addresses of that link, from its address.
    case send([UInt8], PresenceLink)
    /// A beacon of a place of ours was heard.
    case sighted(PeerSighting)
}

/// What became of beacons, for `doctor` and the dashboard.
package struct PresenceStatistics: Hashable, Sendable {
    /// Counts of one interface: a multicast that leaves and never returns is a filter in the way.
    package struct Link: Hashable, Sendable {
        package internal(set) var sent = 0
        package internal(set) var suppressed = 0
        package internal(set) var ownReturned = 0
        package internal(set) var recognised = 0
    }

    package internal(set) var recognised = 0
    package internal(set) var strangers = 0
    /// Wrong length or version.
    package internal(set) var malformed = 0
    /// A counter that was not higher than one seen: doubled, overtaken or replayed.
    package internal(set) var stale = 0
    /// Not looked at, since the budget for hashes or the source's share was used up.
    package internal(set) var overBudget = 0
}
