package import NodeCore

extension Presence {
    /// Handles a datagram. `source` is its source address; `interfaceIndex` the interface that received it.
    ///
    /// Whatever the bytes are, the work is bounded, and no answer is sent, so there is nothing to amplify. Noise and
    /// repeated datagrams cost one hash, less than receiving them, and use up nobody's budget.
    package mutating func onDatagram(
        _ bytes: [UInt8], from source: SocketAddress, interfaceIndex: UInt32, now: MonotonicTime
    ) -> [PresenceAction] {
        let source = source.unmapped.with(port: 0)
        guard let id = try? BeaconCodec.id(of: bytes) else {
            statistics.malformed += 1
            return []
        }
        guard !ownIDs.contains(id) else {
            linkStatistics[interfaceIndex, default: .init()].ownReturned += 1
            return []
        }
        guard let (version, header) = try? BeaconCodec.header(of: bytes, id: id) else {
            statistics.malformed += 1
            return []
        }
        let voice = Voice(id: id, host: source)
        guard header.counter > known[voice]?.counter ?? 0 else {
            statistics.stale += 1
            return []
        }
        guard budget.admit(source, hashes: hashesPerDatagram, now: now) else {
            statistics.overBudget += 1
            return []
        }
        let beacon = Beacon(version: version, header: header, entries: BeaconCodec.entries(of: bytes))
        let matches = self.matches(of: beacon, from: source)
        guard !matches.isEmpty else {
            statistics.strangers += 1
            if known[voice] == nil { speakToStranger(now: now) }
            return []
        }
        guard beacon.version == BeaconCodec.version else {
            let address = source.with(port: beacon.header.port)
            return matches.map { .otherVersion(UInt16(beacon.version), places[$0.placeIndex].place, address) }
        }
        let isProven = matches.contains { !places[$0.placeIndex].isPublic }
        guard isProven || beacon.header.counter > claimed[voice]?.counter ?? 0 else {
            statistics.stale += 1
            return []
        }
        statistics.recognised += 1
        linkStatistics[interfaceIndex, default: .init()].recognised += 1
        if isProven { budget.recognised(source, now: now) }
        return onRecognised(
            beacon.header, in: isProven ? \.known : \.claimed, matches: matches, from: source,
            interfaceIndex: interfaceIndex, now: now)
    }

    /// One of our places among a beacon's entries.
    private struct Match {
        let placeIndex: Int
        /// The index of the key that made the place's tag; nil if we know the sender only by its echo.
        let tagKey: Int?
        /// The index of the key under which it echoes our present id; nil if it does not.
        let echoKey: Int?
        /// The digests are equal.
        let isInSync: Bool
    }

    /// Our places among the entries, by their tags or by an echo: a node that has later keys than we do recognises our
    /// tag, while we do not recognise its own.
    private func matches(of beacon: Beacon, from source: SocketAddress) -> [Match] {
        var found: [Match] = []
        for (placeIndex, place) in places.enumerated() {
            var match: (key: Int, checks: [UInt64])?
            for (index, key) in place.discoveryKeys.enumerated() where place.isRecognised {
                let checks = beacon.checks(tag: BeaconCodec.tag(beacon.header, host: source, key: key))
                if !checks.isEmpty {
                    match = (index, checks)
                    break
                }
            }
            let echoKey = echoKey(of: place, in: beacon, from: source)
            guard match != nil || echoKey != nil else { continue }
            let isInSync = match.map { key, checks in
                let key = place.discoveryKeys[key]
                return checks.contains(BeaconCodec.check(beacon.header, digest: place.digest, key: key))
            }
            found.append(
                Match(placeIndex: placeIndex, tagKey: match?.key, echoKey: echoKey, isInSync: isInSync == true))
        }
        return found
    }

    /// Others recognise us by the keys that our beacons use, and so echo us under one of these.
    private func echoKey(of place: PresencePlace, in beacon: Beacon, from source: SocketAddress) -> Int? {
        guard place.isSpokenOf, let ownID = ownIDs.last else { return nil }
        return place.discoveryKeys.prefix(place.spokenKeys).firstIndex { key in
            beacon.contains(BeaconCodec.echo(of: ownID, in: beacon.header, host: source, key: key))
        }
    }

    private mutating func onRecognised(
        _ header: Beacon.Header, in table: WritableKeyPath<Presence, [Voice: Known]>, matches: [Match],
        from source: SocketAddress, interfaceIndex: UInt32, now: MonotonicTime
    ) -> [PresenceAction] {
        let (voice, address) = (Voice(id: header.id, host: source), source.with(port: header.port))
        let isNewID = self[keyPath: table][voice] == nil
        let isNewNode = isNewID && !Self.succeed(in: &self[keyPath: table], address)
        if isNewID { Self.makeRoom(in: &self[keyPath: table], now: now) }
        var entry =
            self[keyPath: table][voice]
            ?? Known(counter: 0, heardAt: now, address: address, interfaceIndex: interfaceIndex)
        entry.counter = header.counter
        entry.heardAt = now
        entry.address = address
        entry.interfaceIndex = interfaceIndex
        entry.echoKeys = matches.compactMap { match in
            match.tagKey.map { places[match.placeIndex].echoKey($0) }
        }
        // A node that is heard for the first time must hear us. A mere change of its id can wait for our next beacon:
        // otherwise all would answer each other's changes.
        var shouldReset = isNewNode
        if isNewID, !isNewNode { entry.letWait() }
        for match in matches {
            let place = places[match.placeIndex].place
            switch places[match.placeIndex].part {
            case _ where match.isInSync: entry.differences[place] = nil
            case .both: if entry.mayReset(place, now: now) { shouldReset = true }
            // A seeker cannot dial before it is echoed, also one that is known from other zones.
            case .listens: if entry.echoedIn[place] == nil { shouldReset = true }
            case .speaks: break
            }
        }
        let echoed = matches.filter { $0.echoKey != nil }
        let isFirstMeeting = !entry.isMet && !echoed.isEmpty
        if isFirstMeeting { entry.isMet = true }
        self[keyPath: table][voice] = entry
        pace(matches, shouldReset: shouldReset, source: source, interfaceIndex: interfaceIndex, now: now)

        // Port 0 means a node that cannot be dialled but may still be heard.
        guard header.port != 0, let ownID = ownIDs.last else { return [] }
        return echoed.compactMap { match in
            guard let key = match.tagKey ?? match.echoKey else { return nil }
            return .sighted(
                PeerSighting(
                    place: places[match.placeIndex].place, key: key, address: address, isInSync: match.isInSync,
                    isNewID: isFirstMeeting,
                    // A node that is not recognised is not echoed, and does not dial.
                    dialsSecond: match.tagKey != nil && header.id < ownID))
        }
    }

    /// Updates Trickle on the links where the beacon was heard.
    private mutating func pace(
        _ matches: [Match], shouldReset: Bool, source: SocketAddress, interfaceIndex: UInt32,
        now: MonotonicTime
    ) {
        for index in links.indices {
            let link = links[index].link
            guard link.interfaceIndex == interfaceIndex, link.address.family == source.family else { continue }
            for match in matches where match.isInSync && places[match.placeIndex].isSpokenOf {
                links[index].heard[match.placeIndex] += 1
            }
            if shouldReset, links[index].trickle.reset(now: now, random: &random) { links[index].heard = unheard }
            links[index].trickle.setHeard(links[index].heard.min() ?? 0)
        }
    }

    /// A seeker cannot recognise those who would admit it. A new neighbour may be one, so it is sent a beacon soon.
    private mutating func speakToStranger(now: MonotonicTime) {
        guard places.contains(where: { $0.part == .speaks }),
            soughtAt.map({ now - $0 >= Limits.seekingPause }) ?? true
        else { return }
        soughtAt = now
        for index in links.indices where links[index].trickle.reset(now: now, random: &random) {
            links[index].heard = unheard
        }
    }

    /// Ends the echoes of earlier ids of the node at that address. False if it had none. Their counters stay: a
    /// recorded beacon of an earlier id may echo our present one.
    private static func succeed(in table: inout [Voice: Known], _ address: SocketAddress) -> Bool {
        // All nodes that accept no sessions have port 0.
        guard address.port != 0 else { return false }
        let earlier = table.filter { $0.value.address == address }.map(\.key)
        for voice in earlier { table[voice]?.echoKeys = [] }
        return !earlier.isEmpty
    }

    /// Keeps the table of ids bounded: drops expired ones first, then those silent for longest.
    private static func makeRoom(in table: inout [Voice: Known], now: MonotonicTime) {
        guard table.count >= Limits.knownBeacons else { return }
        table = table.filter { $0.value.heardAt + Limits.beaconExpiry > now }
        guard table.count >= Limits.knownBeacons else { return }
        // A minimum over distinct pairs does not depend on the dictionary's order.
        let oldest = table.min { ($0.value.heardAt, $0.key) < ($1.value.heardAt, $1.key) }
        if let oldest { table[oldest.key] = nil }
    }
}

extension Presence.Known {
    /// Whether it was heard there and does not know it yet.
    func owesEcho(on link: PresenceLink) -> Bool {
        interfaceIndex == link.interfaceIndex && echoKeys.contains { echoedIn[$0.place] == nil }
    }

    /// Lets its echoes wait for the next beacon, whenever that is.
    mutating func letWait() {
        for key in echoKeys { echoedIn[key.place] = 0 }
    }

    /// Whether a difference in that place may reset the timer now; if so, counts it.
    mutating func mayReset(_ place: PlaceID, now: MonotonicTime) -> Bool {
        guard let last = differences[place] else {
            let pause = Limits.trickleMinimum
            differences[place] = Presence.Difference(nextReset: now + pause, pause: pause)
            return true
        }
        guard now >= last.nextReset else { return false }
        let pause = min(last.pause * 2, Limits.trickleMaximum)
        differences[place] = Presence.Difference(nextReset: now + pause, pause: pause)
        return true
    }
}
