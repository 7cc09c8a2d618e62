package import NodeCore

/// Dialling and timed events.
extension Pairing {
    /// A beacon of another pairing device was heard.
    package mutating func onSighting(_ address: SocketAddress, isSameRole: Bool, now: MonotonicTime) {
        guard !isSameRole else { return }
        onAddresses([address], now: now)
    }

    /// Adds addresses where a device may be, such as those given by the user.
    package mutating func onAddresses(_ list: [SocketAddress], now: MonotonicTime) {
        guard role == .takes, !isOver else { return }
        for address in list where !places.contains(where: { $0.address == address }) {
            guard places.count < Limits.pairingPlaces else { return }
            places.append(Place(address: address, nextAt: now))
        }
    }

    package mutating func onDialFailed(_ address: SocketAddress, now: MonotonicTime) {
        guard let index = places.firstIndex(where: { $0.address == address }) else { return }
        places[index].isDialling = false
        delay(address, now: now)
    }

    mutating func delay(_ address: SocketAddress, now: MonotonicTime) {
        guard let index = places.firstIndex(where: { $0.address == address }) else { return }
        places[index].nextAt = max(places[index].nextAt, now + Limits.pairingRetry)
    }

    /// Whether there is a session with the device met at this place.
    private func isMet(_ place: Place) -> Bool {
        talks.contains { $0.address == place.address || (place.peer != nil && $0.peer == place.peer) }
    }

    /// The only device in sight, after it was the only one for long enough; nil if the user is asked or has chosen.
    private var onlyOne: (id: SessionID, at: MonotonicTime)? {
        guard !mustAsk, chosen == nil, let talk = talks.first(where: \.hasMet), let metAt = talk.metAt else {
            return nil
        }
        return (talk.id, metAt + Limits.pairingLookAround)
    }

    package mutating func onTimer(now: MonotonicTime) {
        guard !isOver else { return }
        for talk in talks where talk.stepBy.map({ $0 <= now }) ?? false { fail(talk.id, .silent, now: now) }
        let isMoving = talks.contains { $0.id == chosen && $0.isMoving }
        if now >= expiresAt, !isMoving { finish(.timedOut) }
        guard !isOver else { return }
        if let (id, due) = onlyOne, due <= now {
            if talks.count(where: \.hasMet) > 1 {
                mustAsk = true
                revision += 1
            } else {
                isChosenByItself = true
                choose(id, now: now)
            }
        }
        for index in places.indices where !places[index].isDialling && places[index].nextAt <= now {
            guard !isMet(places[index]) else { continue }
            places[index].isDialling = true
            actions.append(.dial(places[index].address))
        }
    }

    /// When `onTimer` is due next; nil once it is over and no actions are pending.
    package var deadline: MonotonicTime? {
        if !actions.isEmpty { return .zero }
        guard !isOver else { return nil }
        let isMoving = talks.contains { $0.id == chosen && $0.isMoving }
        var times = talks.compactMap(\.stepBy)
        if !isMoving { times.append(expiresAt) }
        if let (_, due) = onlyOne { times.append(due) }
        times += places.filter { !$0.isDialling && !isMet($0) }.map(\.nextAt)
        return times.min()
    }
}
