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

    /// An id with the address that it was heard from. Ids are not secret: any holder of a key could speak under another
    /// node's id, and the owner's beacons would then seem to be old.
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
        var echoKeys: [EchoKey] = []
        /// For each place the number of our last beacon that echoed it there; 0 if it can wait for the next one.
        var echoedIn: [PlaceID: UInt64] = [:]
        /// It has echoed our present id.
        var isMet = false
        /// Zones in which it differed when last heard.
        var differences: [PlaceID: Difference] = [:]
    }

    /// A key under which a voice was recognised.
    struct EchoKey {
        let place: PlaceID
        let key: Secret
        let isPressing: Bool
    }

    /// An echo to be sent. Those that were not sent for longest come first; of these, one of each voice before the
    /// second of any.
    struct Echo: Comparable {
        let voice: Voice
        let key: EchoKey
        let isClaimed: Bool
        let saidIn: UInt64
        let rank: Int

        private var order: (UInt64, Int, Int) { (saidIn, rank, isClaimed ? 1 : 0) }

        static func < (one: Echo, other: Echo) -> Bool {
            one.order == other.order ? one.voice < other.voice : one.order < other.order
        }

        static func == (one: Echo, other: Echo) -> Bool { one.order == other.order && one.voice == other.voice }
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
    /// Beacons sent under all ids.
    private var beacons: UInt64 = 0
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
            entry.echoedIn = entry.echoedIn.filter { served.contains($0.key) }
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
        beacons += 1
        let header = Beacon.Header(id: ownIDs[ownIDs.count - 1], counter: counter, port: port)
        let echoes = takeEchoes(on: link)
        let most = Limits.paddedEntries[Limits.paddedEntries.count - 1] - echoes.count
        // If there are more places than a beacon holds, each beacon names some of them, and a few beacons name all.
        // Those where somebody waits are in each.
        let hasChanged = now < changedAt + Limits.changeTime
        let spoken = places.filter(\.isSpokenOf).flatMap { place in
            place.discoveryKeys.prefix(hasChanged ? place.spokenKeys : place.lastingKeys)
                .map { (key: $0, digest: place.digest, isPressing: place.isPressing) }
        }
        let named = spoken.count > most ? Self.fill(most, with: spoken.shuffled(using: &random), \.isPressing) : spoken
        return BeaconCodec.encode(
            header, host: link.address, zones: named.map { ($0.key, $0.digest) }, echoes: echoes, random: &random)
    }

    /// Whether somebody was heard there who does not know it yet.
    private func owesEcho(on link: PresenceLink) -> Bool {
        known.values.contains { $0.owesEcho(on: link) } || claimed.values.contains { $0.owesEcho(on: link) }
    }

    /// Takes what is to be echoed on a link.
    private mutating func takeEchoes(on link: PresenceLink) -> [(key: Secret, id: BeaconID)] {
        let echoes = Self.echoes(of: known, on: link) + Self.echoes(of: claimed, on: link, isClaimed: true)
        let taken = Self.fill(Limits.echoes, with: echoes.sorted(), \.key.isPressing)
        for echo in taken {
            if echo.isClaimed {
                claimed[echo.voice]?.echoedIn[echo.key.place] = beacons
            } else {
                known[echo.voice]?.echoedIn[echo.key.place] = beacons
            }
        }
        return taken.map { ($0.key.key, $0.voice.id) }
    }

    private static func echoes(
        of table: [Voice: Known], on link: PresenceLink, isClaimed: Bool = false
    ) -> [Echo] {
        table.filter { $0.value.interfaceIndex == link.interfaceIndex }.flatMap { voice, entry in
            entry.echoKeys.map { (key: $0, saidIn: entry.echoedIn[$0.place] ?? 0) }
                .sorted { ($0.saidIn, $0.key.place) < ($1.saidIn, $1.key.place) }
                .enumerated()
                .map { rank, echo in
                    Echo(voice: voice, key: echo.key, isClaimed: isClaimed, saidIn: echo.saidIn, rank: rank)
                }
        }
    }

    /// Chooses the items that fit. Those that somebody waits for come first, and leave half of the room to the rest, if
    /// that needs it: anybody can make us echo in a pairing.
    private static func fill<Item>(_ room: Int, with items: [Item], _ isPressing: (Item) -> Bool) -> [Item] {
        let others = items.filter { !isPressing($0) }
        let first = Array(items.filter(isPressing).prefix(max(room / 2, room - others.count)))
        return first + others.prefix(room - first.count)
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
