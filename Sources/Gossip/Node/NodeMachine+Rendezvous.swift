package import NodeCore
package import SyncState

/// Those who want into a zone, and those who let them in.
extension NodeMachine {
    /// Seeks a member there from now on: by beacons, at the addresses given by the user, and at `hints`.
    package func add(_ rendezvous: any Rendezvous, hints: [SocketAddress] = [], now: MonotonicTime) {
        meetings.append(ServedRendezvous(rendezvous, zone: nil))
        arrangeMeetings(now: now)
        dialer.onRemembered(hints, zone: rendezvous.handle, now: now)
    }

    /// Seeks nobody there any more.
    package func remove(rendezvous id: ZoneID, now: MonotonicTime) {
        guard let meeting = meeting(id), meeting.zone == nil else { return }
        end(meeting)
        meetings.removeAll { $0.id == id }
        arrangeMeetings(now: now)
    }

    /// Dials a member of a zone at an address where one was just met.
    package func meet(zone: ZoneID, at address: SocketAddress, now: MonotonicTime) {
        dialer.onRemembered([address], zone: zone, now: now)
    }

    func meeting(_ id: ZoneID) -> ServedRendezvous? { meetings.first { $0.id == id } }

    /// A zone was taken up or dropped: whoever wants into it is met, or no longer.
    func followZones(now: MonotonicTime) {
        for meeting in meetings {
            guard let zone = meeting.zone, !zones.contains(where: { $0 === zone }) else { continue }
            end(meeting)
        }
        meetings.removeAll { meeting in meeting.zone.map { zone in !zones.contains { $0 === zone } } ?? false }
        for served in zones where !meetings.contains(where: { $0.zone === served }) {
            guard let rendezvous = served.sync.zone.rendezvous else { continue }
            meetings.append(ServedRendezvous(rendezvous, zone: served))
        }
        arrangeMeetings(now: now)
    }

    private func arrangeMeetings(now: MonotonicTime) {
        meetings.sort { $0.id < $1.id }
        dialer.onZones(
            zones.map(\.id) + meetings.filter { $0.rendezvous.role == .seeks }.map(\.id),
            answering: meetings.filter { $0.rendezvous.role == .answers }.map(\.id), now: now)
        for meeting in meetings { dialer.onKeys(meeting.rendezvous.sessionKeys.count, zone: meeting.id, now: now) }
        showZones(now: now)
    }

    private func end(_ meeting: ServedRendezvous) {
        for id in meeting.sessions.keys.sorted() {
            links[id] = nil
            actions.append(.close(id, .shutdown))
        }
        meeting.sessions = [:]
    }

    /// Nobody is met there for now.
    private func isPaused(_ meeting: ServedRendezvous) -> Bool {
        isInBackground || isLocked || meeting.zone?.isPaused == true || meeting.zone?.failure != nil
    }

    // MARK: Sessions

    func opened(
        _ id: SessionID, _ meeting: ServedRendezvous, isInitiator: Bool, handshakeHash: [UInt8],
        address: SocketAddress, now: MonotonicTime
    ) {
        guard !isPaused(meeting), meeting.sessions.count < Limits.meetings else {
            turnAway(id)
            if isInitiator { dialer.onFailed(zone: meeting.id, address: address, now: now) }
            return
        }
        links[id] = Link(zone: meeting.id, address: address, isInitiator: isInitiator)
        let session = RendezvousMeeting(
            handshakeHash: handshakeHash, address: address, isInitiator: isInitiator, port: port ?? 0)
        meeting.sessions[id] = session
        meeting.deadlines[id] = now + Limits.greetingBound
        if let message = meeting.rendezvous.opened(session) { actions.append(.send(id, message, .control)) }
    }

    func received(_ bytes: [UInt8], on id: SessionID, _ meeting: ServedRendezvous) {
        guard let session = meeting.sessions.removeValue(forKey: id) else { return }
        meeting.deadlines[id] = nil
        // While the store of who answers fails, nothing can be promised, and nothing may be begun in it.
        guard meeting.zone?.failure == nil else { return meeting.answers.append((id, nil)) }
        do {
            let answer = try meeting.rendezvous.received(bytes, in: session)
            meeting.answers.append((id, answer.message))
            if answer.isNews { meeting.hasNews = true }
        } catch {
            meeting.answers.append((id, nil))
            if meeting.zone?.failure == nil { meeting.zone?.failure = error }
        }
    }

    func closed(_ id: SessionID, _ meeting: ServedRendezvous) {
        meeting.sessions[id] = nil
        meeting.deadlines[id] = nil
        meeting.answers.removeAll { $0.session == id }
    }

    // MARK: Turns

    /// After the commits: what was answered leaves, unless the zone that it speaks for could not keep it.
    func answerMeetings(now: MonotonicTime) {
        var mustShow = false
        for meeting in meetings {
            for (id, message) in meeting.answers {
                if let message, meeting.zone?.failure == nil { actions.append(.send(id, message, .control)) }
                over(id, now: now)
            }
            meeting.answers = []
            for (id, deadline) in meeting.deadlines.sorted(by: { $0.key < $1.key }) where deadline <= now {
                meeting.sessions[id] = nil
                meeting.deadlines[id] = nil
                over(id, now: now)
            }
            if meeting.hasNews {
                meeting.hasNews = false
                actions.append(.note(zone: meeting.id, .rendezvous))
            }
            if meeting.keysRevision != meeting.rendezvous.keysRevision {
                meeting.keysRevision = meeting.rendezvous.keysRevision
                dialer.onKeys(meeting.rendezvous.sessionKeys.count, zone: meeting.id, now: now)
                mustShow = true
            }
        }
        if mustShow { showZones(now: now) }
    }

    /// A meeting came to its end. Where it brought nothing, the address is tried again after a pause.
    private func over(_ id: SessionID, now: MonotonicTime) {
        actions.append(.close(id, .shutdown))
        guard let link = links.removeValue(forKey: id), link.isInitiator else { return }
        dialer.onFailed(zone: link.zone, address: link.address, now: now)
    }

    var meetingDeadlines: [MonotonicTime] {
        meetings.flatMap { $0.answers.isEmpty && !$0.hasNews ? Array($0.deadlines.values) : [.zero] }
    }

    /// Those that are shown to, or looked for in beacons.
    var shownMeetings: [PresenceZone] {
        meetings.filter { !isPaused($0) && !$0.rendezvous.discoveryKeys.isEmpty }
            .map(\.presence)
    }

    /// What sessions of those who want into a zone, or let this node in, are opened with. Where one account of this
    /// node seeks what another answers, who dials is most likely one who heard the seeker.
    var meetingDoors: [SessionDoor] {
        let open = meetings.filter { !isPaused($0) }
        let ordered = open.filter { $0.rendezvous.role == .seeks } + open.filter { $0.rendezvous.role == .answers }
        return ordered.flatMap { meeting in
            meeting.rendezvous.sessionKeys.indices.compactMap { meeting.door($0) }
        }
    }
}
