package import Ledger
package import NodeCore
package import SyncState

/// Seeks a member who lets this account into a group, with a token.
///
/// An answer counts if it is signed, for this session, by a lane that it shows to belong to the group; a welcome must
/// also show that the joiner belongs to it now, and its root must fit genesis, whose hash the token names.
package final class JoinAttempt {
    package enum State: Sendable {
        /// No member who could admit was met; with the latest known reason. Next: any.
        case waiting(JoinRefusal?)
        /// Admitted: the zone can be opened. Final.
        case welcomed(GroupWelcome)
        /// Final.
        case refused(JoinRefusal)
    }

    package let pending: PendingJoin
    package private(set) var state = State.waiting(nil)
    /// The group that replaces this one, if it was closed with one.
    package private(set) var successor: ZoneID?
    package let keys: PlaceKeys
    private let device: DeviceKeys
    /// The tickets that may be free, in the order in which they are tried.
    private var tickets: [Int]
    /// The tickets shown in each of the last meetings, by its handshake.
    private var shown: [(handshakeHash: [UInt8], tickets: [Int])] = []

    /// - Parameter random: in which order the tickets are tried, so that two who share a token seldom meet.
    package init(_ pending: PendingJoin, deviceSecret: Secret, random: inout any RandomSource) {
        self.pending = pending
        device = DeviceKeys(deviceSecret: deviceSecret, tag: pending.tag)
        let pair = RendezvousKeys(Secret(bytes: pending.token.door))
        keys = PlaceKeys(discovery: [pair.discovery], session: [pair.session])
        tickets = pending.token.tickets.shuffled(using: &random)
    }

    package var member: MemberID { MemberID(person: pending.person, firstLane: device.lane) }
    package var group: ZoneID { pending.token.group }

    /// The lane that enters.
    var lane: LaneID { device.lane }

    /// This lane's Enters by the tickets that are shown next.
    var enters: [LedgerRecord] { tickets.prefix(Limits.shownTickets).compactMap(enter) }

    /// The Enter of this lane by a ticket.
    private func enter(by ticket: Int) -> LedgerRecord? {
        guard let key = pending.token.key(of: ticket) else { return nil }
        let id = TicketID(invite: pending.token.invite, index: UInt8(ticket))
        let proof = key.sign(Enter.claimed(ticket: id, member: member, zone: group))
        let enter = Enter(
            person: pending.person, firstLane: device.lane, sealKey: device.sealing.publicKey,
            entrance: .ticket(id, key: key.publicKey, proof: proof))
        return LedgerRecord(
            zone: group, signer: device.signing.publicKey, prev: .zero, act: .enter(enter), sign: device.signing.sign)
    }
}

extension JoinAttempt: Rendezvous {
    package var handle: PlaceID {
        PlaceID(Blake2b.hash32(group.bytes, member.bytes, domain: "kachat attempt"))
    }
    package var role: RendezvousRole { .seeks }

    package func opened(_ meeting: RendezvousMeeting) -> [UInt8]? {
        guard case .waiting = state else { return nil }
        let next = Array(tickets.prefix(Limits.shownTickets))
        shown = shown.suffix(Limits.meetingsKept - 1) + [(meeting.handshakeHash, next)]
        return JoinMessage.knock(
            JoinMessage.Knock(
                enters: enters.map(\.encoded),
                signature: device.signing.sign(JoinMessage.knockMessage(meeting.handshakeHash)))
        ).encoded
    }

    package func received(_ message: [UInt8], in meeting: RendezvousMeeting) throws -> RendezvousAnswer {
        guard case .waiting(let before) = state else { return RendezvousAnswer() }
        switch try? JoinMessage(encoded: message) {
        case .welcome(let welcome):
            guard let accepted = accept(welcome, in: meeting) else { return RendezvousAnswer() }
            state = .welcomed(accepted)
            return RendezvousAnswer(isNews: true)
        case .refused(let refusal):
            guard let isFinal = isFinal(refusal, in: meeting) else { return RendezvousAnswer() }
            state = isFinal ? .refused(refusal.reason) : .waiting(refusal.reason)
            return RendezvousAnswer(isNews: before != refusal.reason)
        case .knock, nil:
            return RendezvousAnswer()
        }
    }

    /// The group as an answer shows it, if that is signed by a lane that belongs to it.
    private func assumed(
        _ genesis: [UInt8], _ shown: [[UInt8]], by lane: LaneID, _ signature: [UInt8], of message: [UInt8]
    ) -> LedgerState? {
        guard Ed25519.verify(signature: signature, message: message, publicKey: lane.storage),
            let genesis = try? LedgerRecord(encoded: genesis), genesis.home == group,
            let set = LedgerSet(genesis: genesis)
        else { return nil }
        let records = shown.compactMap { try? LedgerRecord(encoded: $0) }.filter { $0.home == group }
        let state = LedgerState(set.assuming(records))
        return state.keys(of: lane).contains { state.standing(of: $0) == .active } ? state : nil
    }

    /// True if a refusal ends the search; nil if its sender is not shown to be a member. A single member may be wrong
    /// or lie: a refusal is final if records prove it, or if the owner or the issuer says so. Otherwise it is reported,
    /// and the search continues.
    private func isFinal(_ refusal: JoinMessage.Refusal, in meeting: RendezvousMeeting) -> Bool? {
        let message = JoinMessage.answerMessage(meeting.handshakeHash, .refused, reason: refusal.reason.rawValue)
        let assumed = assumed(
            refusal.genesis, refusal.shown, by: refusal.lane, refusal.signature, of: message)
        guard let assumed else { return nil }
        // Anybody can sign an Enter of its lane for any member, which nobody let in.
        let speakers = assumed.keys(of: refusal.lane).filter { assumed.standing(of: $0) == .active }.map(\.member)
        let issuer = assumed.author(of: pending.token.invite)
        let shown = shown.last { $0.handshakeHash == meeting.handshakeHash }?.tickets ?? []
        let isTrusted = speakers.contains { $0 == assumed.owner || $0 == issuer }
        switch refusal.reason {
        case .usedUp:
            tickets.removeAll(where: shown.contains)
            if !isTrusted { tickets += shown }
            return tickets.isEmpty
        case .closed:
            successor = assumed.successor?.group
            return isTrusted || assumed.isClosed
        case .revoked:
            return isTrusted
                || !shown.isEmpty && assumed.isRevokedForEver(pending.token.invite)
                    && shown.allSatisfy { ticket in
                        guard let key = pending.token.key(of: ticket)?.publicKey else { return false }
                        let id = TicketID(invite: pending.token.invite, index: UInt8(ticket))
                        return assumed.standing(of: id, key: key) == .revoked
                    }
        case .expired, .full, .notValid: return isTrusted
        case .notReady: return false
        }
    }

    private func accept(_ welcome: JoinMessage.Welcome, in meeting: RendezvousMeeting) -> GroupWelcome? {
        let message = JoinMessage.answerMessage(meeting.handshakeHash, .welcome)
        let assumed = assumed(welcome.genesis, welcome.shown, by: welcome.lane, welcome.signature, of: message)
        guard let assumed, assumed.standing(of: LaneKey(device.lane, of: member)) == .active,
            let genesis = try? LedgerRecord(encoded: welcome.genesis),
            let keys = GroupKeys(
                genesis: genesis, root: welcome.firstRoot, person: pending.person, firstLane: device.lane)
        else { return nil }
        return GroupWelcome(keys: keys, tag: pending.tag, shown: welcome.shown, address: meeting.address)
    }
}

/// The keys of a rendezvous, from the secret in a token.
struct RendezvousKeys {
    /// For the tag in the joiner's beacons.
    let discovery: Secret
    /// The pre-shared key of the session.
    let session: Secret

    init(_ rendezvous: Secret) {
        discovery = HKDF.derive(rendezvous, "rendezvous/discovery")
        session = HKDF.derive(rendezvous, "rendezvous/session")
    }
}
