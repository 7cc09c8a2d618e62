package import NodeCore

/// Decisions of the user and results of the shell.
extension Pairing {
    /// A mistake that a user may make.
    package enum Complaint: Error, Equatable, Sendable {
        case noSuchDevice
        /// There are no digits to compare now.
        case nothingToCompare
        /// The digits differ from those shown here; that attempt is over.
        case digitsDiffer
    }

    /// Chooses the device with this tag.
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

    /// The user entered the digits from the other display. If they differ from those shown here, the attempt is over.
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

    /// The digits differ, or this device is unwanted: the attempt is over.
    package mutating func refuse(now: MonotonicTime) throws(Complaint) {
        guard let talk = talks.first(where: { $0.id == chosen }), talk.digits != nil else { throw .nothingToCompare }
        differ(talk.id, now: now)
    }

    private mutating func differ(_ id: SessionID, now: MonotonicTime) {
        send([.refused(.digitsDiffer)], to: id)
        fail(id, .wrongDigits, now: now)
    }

    /// Stops the pairing.
    package mutating func stop() { finish(.stopped) }

    /// Answers what is due.
    ///
    /// - Precondition: it is what `due` asks for.
    package mutating func contribute(_ contribution: PairingContribution, now: MonotonicTime) {
        guard let index = talks.firstIndex(where: { $0.id == chosen }), talks[index].due != nil else { return }
        send(talks[index].contribute(contribution), to: talks[index].id)
        moved(index, now: now)
        if talks[index].stage == .over { finish(.done) }
    }

    /// Reports that what is due cannot be had, or that the received secret cannot be stored.
    package mutating func fail() { finish(.failed) }
}
