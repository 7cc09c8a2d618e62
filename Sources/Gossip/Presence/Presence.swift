package import NodeCore

/// Finds nodes of our zones on the local network, and makes this one visible to them.
///
/// Beacons are sent on every link by Trickle's rules (RFC 6206): at once after a change, a difference, a wake-up or a
/// change of the network, ever more rarely while everybody agrees, and not at all if enough others have said the same.
/// A pure machine: time comes with each event, randomness with `init`, and actions are returned.
package struct Presence {
    /// A link and its timer.
    struct LinkState {
        let link: PresenceLink
        var trickle: Trickle
        /// For each of our places, in order, the number of beacons in sync heard in this interval. Our beacon is
        /// redundant only if it would be for each of our places.
        var heard: [Int]
    }

    /// An id with the address that it was heard from: ids are no secret, so whoever has a key could speak under
    /// another's, and the owner's beacons would seem to be old.
    struct Voice: Hashable, Comparable {
        let id: BeaconID
        let host: SocketAddress

        static func < (one: Voice, other: Voice) -> Bool { (one.id, one.host) < (other.id, other.host) }
    }

    /// A recognised voice.
    struct Known {
        var counter: UInt64
        var heardAt: MonotonicTime
        /// The address at which it accepts sessions.
        var address: SocketAddress
        /// The interface on which it was heard last.
        var interfaceIndex: UInt32
        /// The keys under which it is echoed.
        var echoKeys: [Secret] = []
        /// How many of our beacons have echoed it.
        var echoes = 0
        /// It has echoed our present id.
        var isMet = false
        /// Zones in which it differed when last heard.
        var differences: [PlaceID: Difference] = [:]
    }

    /// A lasting difference must not keep us sending at the shortest interval for ever: each reset that it causes
    /// doubles the time to the next, until the peer agrees once or our own digest changes.
    struct Difference {
        var nextReset: MonotonicTime
        var pause: Duration
    }

    var random: any RandomSource
    var places: [PresencePlace] = []
    /// When a stranger's beacon last made a seeker speak.
    var soughtAt: MonotonicTime?
    var links: [LinkState] = []
    var known: [Voice: Known] = [:]
    /// Voices recognised only by a public key. Anybody may claim any id with it, so they count for nothing else.
    var claimed: [Voice: Known] = [:]
    var budget: DatagramBudget
    private(set) var ownIDs: [BeaconID] = []
    private var idExpiresAt: MonotonicTime
    /// The start, the last wake-up, or the last change of network.
    private var changedAt: MonotonicTime
    private var counter: UInt64 = 0
    private var port: UInt16?

    package internal(set) var statistics = PresenceStatistics()
    /// Counts by index of every interface ever used.
    package internal(set) var linkStatistics: [UInt32: PresenceStatistics.Link] = [:]

    package init(now: MonotonicTime, random: any RandomSource) {
        self.random = random
        budget = DatagramBudget(now: now)
        idExpiresAt = now + Limits.idLifetime
        changedAt = now
        ownIDs = [self.random.identifier()]
    }

    /// When `onTimer` is due. Nil if there is nothing to send, or no link.
    package var deadline: MonotonicTime? {
        !places.contains(where: \.isSpokenOf) || port == nil ? nil : links.map(\.trickle.deadline).min()
    }

    /// Keyed hashes that one datagram may cost: for each place a tag of each key and a check, and an echo of each key
    /// that our beacons use.
    var hashesPerDatagram: Int {
        places.reduce(0) {
            $0 + ($1.isRecognised ? $1.discoveryKeys.count + 1 : 0) + ($1.isSpokenOf ? $1.spokenKeys : 0)
        }
    }

    /// Counters at the start of an interval: zero for each place in our beacons. The others need no beacon.
    var unheard: [Int] { places.map { $0.isSpokenOf ? 0 : .max } }

    // MARK: Events

    /// Sets the TCP port on which sessions are accepted. Nothing is sent before it is known.
    package mutating func onListening(port: UInt16) {
        self.port = port
    }

    /// Sets the full list of links after interfaces or addresses changed. New links get a beacon soon. The id changes,
    /// so that a device cannot be tracked from one network to the next.
    package mutating func onLinks(_ list: [PresenceLink], now: MonotonicTime) {
        let sorted = Set(list).sorted()
        guard sorted != links.map(\.link) else { return }
        rotateID(now: now)
        changedAt = now
        links = sorted.map { newLinkState($0, now: now) }
    }

    /// The machine woke up, or the network changed without a change of addresses.
    package mutating func onWake(now: MonotonicTime) {
        rotateID(now: now)
        changedAt = now
        links = links.map { newLinkState($0.link, now: now) }
    }

    /// Sets the full list of places after they or their keys changed.
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
        for voice in known.keys.sorted() { known[voice]?.differences[place] = nil }
        for index in links.indices {
            // The beacons counted so far agreed with the previous digest.
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
            if owesEcho(on: link) { links[index].trickle.setHeard(0) }
            for step in links[index].trickle.onTimer(now: now, random: &random) {
                switch step {
                case .began:
                    links[index].heard = unheard
                case .suppressed:
                    linkStatistics[link.interfaceIndex, default: .init()].suppressed += 1
                case .transmit:
                    linkStatistics[link.interfaceIndex, default: .init()].sent += 1
                    actions.append(.send(beacon(on: link, port: port, now: now), link))
                }
            }
        }
        return actions
    }

    // MARK: Sending

    private mutating func beacon(on link: PresenceLink, port: UInt16, now: MonotonicTime) -> [UInt8] {
        if now >= idExpiresAt { rotateID(now: now) }
        counter += 1
        let header = Beacon.Header(id: ownIDs[ownIDs.count - 1], counter: counter, port: port)
        let echoes = takeEchoes(on: link)
        let most = Limits.paddedEntries[Limits.paddedEntries.count - 1] - echoes.count
        // If there are more places than a beacon holds, each beacon names some of them, and a few beacons name all.
        let hasChanged = now < changedAt + Limits.changeTime
        let spoken = places.filter(\.isSpokenOf).flatMap { place in
            place.discoveryKeys.prefix(hasChanged ? place.spokenKeys : place.lastingKeys)
                .map { (key: $0, digest: place.digest) }
        }
        let named = spoken.count > most ? Array(spoken.shuffled(using: &random).prefix(most)) : spoken
        return BeaconCodec.encode(header, host: link.address, zones: named, echoes: echoes, random: &random)
    }

    /// Whether somebody was heard there who does not know it yet.
    private func owesEcho(on link: PresenceLink) -> Bool {
        known.values.contains { $0.owesEcho(on: link) } || claimed.values.contains { $0.owesEcho(on: link) }
    }

    /// The ids to echo on a link, those first that were echoed least.
    private mutating func takeEchoes(on link: PresenceLink) -> [(key: Secret, id: BeaconID)] {
        var echoes: [(key: Secret, id: BeaconID)] = []
        for table in [\Presence.known, \.claimed] {
            let heard = self[keyPath: table].filter { $0.value.interfaceIndex == link.interfaceIndex }
            for (voice, entry) in heard.sorted(by: { ($0.value.echoes, $0.key) < ($1.value.echoes, $1.key) }) {
                let room = Limits.echoes - echoes.count
                guard room > 0 else { break }
                // If we share more places with a node than there is room for, the places take turns.
                let (keys, start) = (entry.echoKeys, entry.echoes * Limits.echoes)
                echoes += (0..<min(room, keys.count)).map { (keys[(start + $0) % keys.count], voice.id) }
                self[keyPath: table][voice]?.echoes += 1
            }
        }
        return echoes
    }

    private mutating func rotateID(now: MonotonicTime) {
        ownIDs.append(random.identifier())
        if ownIDs.count > Limits.ownIDsRemembered { ownIDs.removeFirst() }
        counter = 0
        idExpiresAt = now + Limits.idLifetime
        // Nobody has heard the new id.
        for table in [\Presence.known, \.claimed] {
            self[keyPath: table] = self[keyPath: table].mapValues { entry in
                var entry = entry
                entry.isMet = false
                return entry
            }
        }
    }

    private mutating func newLinkState(_ link: PresenceLink, now: MonotonicTime) -> LinkState {
        LinkState(link: link, trickle: Trickle(now: now, random: &random), heard: unheard)
    }
}

/// An action for presence's owner.
package enum PresenceAction: Hashable, Sendable {
    /// Send these bytes to the group and broadcast addresses of that link, from its address.
    case send([UInt8], PresenceLink)
    /// A node in one of our places was heard, and has heard us.
    case sighted(PeerSighting)
    /// A node in one of our places speaks that version of the protocol, and accepts sessions there.
    case otherVersion(UInt16, PlaceID, SocketAddress)
}

/// Counts of beacons by outcome, for `doctor` and the dashboard.
package struct PresenceStatistics: Hashable, Sendable {
    /// Counts of one interface. If multicasts leave and none returns, something filters them.
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
    /// The counter was not higher than one already seen: duplicated, overtaken or replayed.
    package internal(set) var stale = 0
    /// Ignored because the budget for hashes or the source's share was used up.
    package internal(set) var overBudget = 0
}
