import NodeCore
import SyncState

/// A member's side of the rendezvous: it meets joiners who knock with a token.
///
/// It recognises tags and echoes them, and never sends any: the token's holder sends beacons, and only an echo tells it
/// that a member is near. A refused knock writes nothing.
final class GroupDoor: Rendezvous {
    private unowned let zone: GroupZone
    let handle: PlaceID
    private var known: (zoneKeys: PlaceKeys, answersKnocks: Bool, keys: PlaceKeys)?

    init(_ zone: GroupZone) {
        self.zone = zone
        handle = PlaceID(Blake2b.hash32(zone.handle.bytes, domain: "kachat door"))
    }

    var role: RendezvousRole { .answers }

    /// For the newest epochs only: a holder of an older token gets no answer, and needs a new one.
    var keys: PlaceKeys {
        let (zoneKeys, answersKnocks) = (zone.placeKeys, zone.answersKnocks)
        if let known, known.zoneKeys === zoneKeys, known.answersKnocks == answersKnocks { return known.keys }
        let epochs = answersKnocks ? zone.epochsByAge.prefix(Limits.rendezvousEpochs) : []
        let pairs = epochs.map { RendezvousKeys($0.rendezvous) }
        let keys = PlaceKeys(discovery: pairs.map(\.discovery), session: pairs.map(\.session))
        known = (zoneKeys, answersKnocks, keys)
        return keys
    }

    func opened(_ meeting: RendezvousMeeting) -> [UInt8]? { nil }

    func received(_ message: [UInt8], in meeting: RendezvousMeeting) throws -> RendezvousAnswer {
        guard case .knock(let knock)? = try? JoinMessage(encoded: message),
            Ed25519.verify(
                signature: knock.signature, message: JoinMessage.knockMessage(meeting.handshakeHash),
                publicKey: knock.admission.subject.storage)
        else { return RendezvousAnswer() }
        do {
            let welcome = try zone.admit(knock.admission, issuer: knock.issuer, wall: zone.store.wall)
            return RendezvousAnswer(message: answer(welcome, to: knock.admission.subject, in: meeting), isNews: true)
        } catch let error as GroupError {
            return RendezvousAnswer(message: refuse(JoinRefusal(error), knock, in: meeting))
        }
    }

    private func answer(_ welcome: GroupWelcome, to joiner: MemberID, in meeting: RendezvousMeeting) -> [UInt8]? {
        guard let vouchers = zone.state.proof(of: [joiner, zone.member], hasRoot: true) else { return nil }
        let epochs = welcome.epochs.prefix(1) + welcome.epochs.dropFirst().suffix(Limits.welcomeRoots - 1)
        let message = JoinMessage.welcome(
            JoinMessage.Welcome(
                member: zone.member,
                signature: zone.memberKey.sign(JoinMessage.answerMessage(meeting.handshakeHash, .welcome)),
                epochs: Array(epochs), vouchers: vouchers)
        ).encoded
        // An answer that does not fit a message is not sent; the joiner tries somebody else.
        return message.count <= Limits.joinMessageBytes ? message : nil
    }

    private func refuse(
        _ reason: JoinRefusal, _ knock: JoinMessage.Knock, in meeting: RendezvousMeeting
    ) -> [UInt8]? {
        guard let vouchers = vouchers(for: reason, knock) else { return nil }
        let signed = JoinMessage.answerMessage(meeting.handshakeHash, .refused, reason: reason.rawValue)
        return JoinMessage.refused(
            JoinMessage.Refusal(
                reason: reason, member: zone.member, signature: zone.memberKey.sign(signed), vouchers: vouchers)
        ).encoded
    }

    /// The records that show this member's membership, and the owner's record that supports the reason.
    private func vouchers(for reason: JoinRefusal, _ knock: JoinMessage.Knock) -> [ControlRecord]? {
        let state = zone.state
        let acts: [ControlRecord]
        switch reason {
        case .revoked:
            guard let link = knock.admission.chain.first,
                let invitation = state.invitation(of: link, by: knock.issuer)
            else { return nil }
            acts =
                [invitation]
                + state.validRecords(.revoke).filter {
                    if case .revoke(invitation.hash, _) = $0.act { true } else { false }
                }.prefix(1)
        case .closed: acts = Array(state.validRecords(.close).prefix(1))
        case .removedKey:
            acts = Array(
                state.validRecords(.remove).filter { $0.act.subject == knock.admission.subject }.prefix(1))
        default: acts = []
        }
        return state.proof(of: [zone.member], and: acts.map(\.hash))
    }
}

extension JoinRefusal {
    /// The reason that is sent to the joiner.
    fileprivate init(_ error: GroupError) {
        self =
            switch error {
            case .expired: .expired
            case .revoked: .revoked
            case .usedUp: .usedUp
            case .closed: .closed
            case .full: .full
            case .notValid: .notValid
            case .removed: .removedKey
            case .notTheIssuer: .notTheIssuer
            default: .notReady
            }
    }
}
