package import NodeCore

/// What the user says, and what the shell has done.
extension Pairing {
    /// What a user may have got wrong.
    package enum Complaint: Error, Equatable, Sendable {
        case noSuchDevice
        /// There are no digits to compare now.
        case nothingToCompare
        /// The digits are not those that are shown here; that try is over.
        case digitsDiffer
    }

    /// The device with this tag is meant, and no other.
    package mutating func choose(_ tag: String, now: MonotonicTime) throws(Complaint) {
        let wanted = talks.filter { $0.hasMet && $0.proof.tag == tag.lowercased() }
        guard !isOver, wanted.count == 1 else { throw .noSuchDevice }
        mustAsk = true
        if let chosen, chosen != wanted[0].id { refuse(chosen, .notChosen, now: now) }
        guard !isOver else { return }
        choose(wanted[0].id, now: now)
    }

    mutating func choose(_ id: SessionID, now: MonotonicTime) {
        guard let index = talks.firstIndex(where: { $0.id == id }) else { return }
        chosen = id
        send(talks[index].choose(random: &random), to: id)
        moved(index, now: now)
        revision += 1
    }

    /// The other display shows these digits. Where they are not the ones shown here, the try is over.
    package mutating func confirm(_ digits: PairingDigits, now: MonotonicTime) throws(Complaint) {
        guard let index = talks.firstIndex(where: { $0.id == chosen }), let shown = talks[index].digits else {
            throw .nothingToCompare
        }
        guard digits == shown else {
            differ(talks[index].id, now: now)
            throw .digitsDiffer
        }
        send(talks[index].confirm(), to: talks[index].id)
        moved(index, now: now)
        revision += 1
    }

    /// The digits differ, or this device is not wanted: the try is over.
    package mutating func refuse(now: MonotonicTime) throws(Complaint) {
        guard let talk = talks.first(where: { $0.id == chosen }), talk.digits != nil else { throw .nothingToCompare }
        differ(talk.id, now: now)
    }

    private mutating func differ(_ id: SessionID, now: MonotonicTime) {
        send([.refused(.digitsDiffer)], to: id)
        fail(id, .wrongDigits, now: now)
    }

    /// No more of it.
    package mutating func stop() { finish(.stopped) }

    /// What both have consented to leaves.
    package mutating func give(_ secret: [UInt8], now: MonotonicTime) {
        guard let index = talks.firstIndex(where: { $0.id == chosen }), talks[index].mayGive else { return }
        send(talks[index].give(secret), to: talks[index].id)
        moved(index, now: now)
        revision += 1
    }

    /// What came is durable with the end of this turn.
    package mutating func take() {
        guard let index = talks.firstIndex(where: { $0.id == chosen }), talks[index].secret != nil else { return }
        send(talks[index].take(), to: talks[index].id)
        finish(.done)
    }

    /// What was to be given cannot be had, or what came cannot be kept.
    package mutating func fail() { finish(.failed) }
}
