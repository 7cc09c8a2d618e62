import NodeCore

/// Transfer of ownership to another member: offered, accepted, and then carried out by the owner's node.
extension GroupZone {
    /// The handovers that count: those of the current ownership, each from a lane of the member that must sign it.
    private var handoversOfNow: [Handover] {
        let state = state
        guard let owner = state.owner, let giving = state.authority(of: owner), !state.isClosed else { return [] }
        var lanes: [MemberID: Set<LaneID>] = [:]
        return contents.handovers.filter { held in
            let (handover, author) = (held.handover, held.handover.author)
            guard handover.giving == giving, handover.from == owner, state.members[handover.to] != nil else {
                return false
            }
            // Anybody may write many of them, so each author's devices are looked up once.
            if lanes[author] == nil { lanes[author] = Set(state.devices(of: author)) }
            return lanes[author]?.contains(held.lane) == true
        }.map(\.handover)
    }

    /// Members to whom the owner offered the group and who have not answered yet, ascending.
    package var offeredTo: [MemberID] {
        let all = handoversOfNow
        let answered = Set(all.filter { !$0.isOffer }.map(\.to))
        return Set(all.filter(\.isOffer).map(\.to)).subtracting(answered).sorted()
    }

    /// Offers ownership to a member, which gets it by accepting.
    package func offerOwnership(to other: MemberID) throws {
        try checkMember()
        let state = state
        guard state.owner == member, let giving = state.authority(of: member) else { throw GroupError.notAllowed }
        guard state.members[other] != nil else { throw GroupError.noSuchMember }
        guard other != member, !state.suspended.contains(other) else { throw GroupError.notAllowed }
        try put(.handover(Handover(giving: giving, from: member, to: other)))
    }

    /// Accepts an offer. The owner's node carries it out when it learns of it.
    package func acceptOwnership() throws {
        try checkMember()
        guard let offer = handoversOfNow.first(where: { $0.isOffer && $0.to == member }) else {
            throw GroupError.nothingOffered
        }
        let message = Transfer.acceptanceMessage(group: zone, giving: offer.giving, from: offer.from, to: member)
        try put(
            .handover(
                Handover(giving: offer.giving, from: offer.from, to: member, acceptance: memberKey.sign(message))))
    }

    /// As the owner: writes the transfer to a member who accepted an offer.
    func carryOutHandover() throws {
        guard state.owner == member else { return }
        let all = handoversOfNow
        let offered = Set(all.filter(\.isOffer).map(\.to))
        let accepted = all.filter { handover in
            guard !handover.isOffer, offered.contains(handover.to) else { return false }
            let message = Transfer.acceptanceMessage(
                group: zone, giving: handover.giving, from: handover.from, to: handover.to)
            return Ed25519.verify(
                signature: handover.acceptance, message: message, publicKey: handover.to.storage)
        }
        guard let chosen = accepted.min(by: { $0.to < $1.to }) else { return }
        let staying = state.validRecords(under: chosen.giving).sorted + acceptedGames(of: member, state)
        try write(
            .transfer(
                Transfer(
                    to: chosen.to, acceptance: chosen.acceptance, staying: NameSet(staying.prefix(Limits.names)))),
            under: chosen.giving)
    }
}
