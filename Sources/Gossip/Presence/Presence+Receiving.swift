package import NodeCore

extension Presence {
    /// Handles a datagram. `source` is its source address; `interfaceIndex` the interface that received it.
    ///
    /// Whatever the bytes are, the work is bounded, and no answer is sent, so there is nothing to amplify.
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
        guard budget.admit(source, hashes: hashesPerDatagram, now: now) else {
            statistics.overBudget += 1
            return []
        }
        guard let beacon = try? BeaconCodec.decode(bytes) else {
            statistics.malformed += 1
            return []
        }
        guard beacon.header.counter > known[id]?.counter ?? 0 else {
            statistics.stale += 1
            return []
        }
        let matches = self.matches(of: beacon, from: source)
        guard !matches.isEmpty else {
            statistics.strangers += 1
            if known[id] == nil { speakToStranger(now: now) }
            return []
        }
        let isProven = matches.contains { !places[$0.placeIndex].isPublic }
        guard isProven || beacon.header.counter > claimed[id]?.counter ?? 0 else {
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

    /// One of our places among a beacon's entries: its index, the key's index, and whether the digests are equal.
    private struct Match {
        let placeIndex: Int
        let key: Int
        let isInSync: Bool
    }

    /// Our places among the entries.
    private func matches(of beacon: Beacon, from source: SocketAddress) -> [Match] {
        var found: [Match] = []
        for (placeIndex, place) in places.enumerated() where place.isRecognised {
            for (keyIndex, key) in place.discoveryKeys.enumerated() {
                let checks = beacon.checks(tag: BeaconCodec.tag(beacon.header, host: source, key: key))
                guard !checks.isEmpty else { continue }
                let own = BeaconCodec.check(beacon.header, digest: place.digest, key: key)
                found.append(Match(placeIndex: placeIndex, key: keyIndex, isInSync: checks.contains(own)))
                break
            }
        }
        return found
    }

    private mutating func onRecognised(
        _ header: Beacon.Header, in table: WritableKeyPath<Presence, [BeaconID: Known]>, matches: [Match],
        from source: SocketAddress, interfaceIndex: UInt32, now: MonotonicTime
    ) -> [PresenceAction] {
        let isNewID = self[keyPath: table][header.id] == nil
        if isNewID { Self.makeRoom(in: &self[keyPath: table], now: now) }
        var entry = self[keyPath: table][header.id] ?? Known(counter: 0, heardAt: now)
        entry.counter = header.counter
        entry.heardAt = now
        var shouldReset = false
        for match in matches {
            let place = places[match.placeIndex].place
            if match.isInSync {
                entry.differences[place] = nil
            } else if places[match.placeIndex].part == .both, entry.mayReset(place, now: now) {
                shouldReset = true
            }
        }
        self[keyPath: table][header.id] = entry
        pace(matches, shouldReset: shouldReset, source: source, interfaceIndex: interfaceIndex, now: now)

        // Port 0 means a node that cannot be dialled but may still be heard.
        guard header.port != 0, let ownID = ownIDs.last else { return [] }
        let address = source.with(port: header.port)
        return matches.map { match in
            .sighted(
                PeerSighting(
                    place: places[match.placeIndex].place, key: match.key, address: address, isInSync: match.isInSync,
                    isNewID: isNewID, dialsSecond: header.id < ownID))
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

    /// Keeps the table of ids bounded: drops expired ones first, then those silent for longest.
    private static func makeRoom(in table: inout [BeaconID: Known], now: MonotonicTime) {
        guard table.count >= Limits.knownBeacons else { return }
        table = table.filter { $0.value.heardAt + Limits.beaconExpiry > now }
        guard table.count >= Limits.knownBeacons else { return }
        // A minimum over distinct pairs does not depend on the dictionary's order.
        let oldest = table.min { ($0.value.heardAt, $0.key) < ($1.value.heardAt, $1.key) }
        if let oldest { table[oldest.key] = nil }
    }
}

extension Presence.Known {
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
