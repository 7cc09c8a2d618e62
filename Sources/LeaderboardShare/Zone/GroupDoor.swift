import Ledger
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

    /// The door's secret in a token, derived from the root that its issuer held.
    static func secret(of root: ZoneRoot) -> [UInt8] {
        HKDF.derive(root.replication, "repl/rendezvous").slice(0..<GroupToken.doorBytes).withUnsafeBytes { Array($0) }
    }

    var role: RendezvousRole { .answers }

    /// For the newest roots only: a holder of an older token gets no answer, and needs a new one.
    var keys: PlaceKeys {
        let (zoneKeys, answersKnocks) = (zone.membership.placeKeys, zone.answersKnocks)
        if let known, known.zoneKeys === zoneKeys, known.answersKnocks == answersKnocks { return known.keys }
        let ring = zone.membership.ring
        let roots = answersKnocks ? ring.ordered(in: zone.state).prefix(Limits.rendezvousEpochs) : []
        let pairs = roots.map { RendezvousKeys(Secret(bytes: Self.secret(of: $0))) }
        let keys = PlaceKeys(discovery: pairs.map(\.discovery), session: pairs.map(\.session))
        known = (zoneKeys, answersKnocks, keys)
        return keys
    }

    func opened(_ meeting: RendezvousMeeting) -> [UInt8]? { nil }

    func received(_ message: [UInt8], in meeting: RendezvousMeeting) throws -> RendezvousAnswer {
        guard case .knock(let knock)? = try? JoinMessage(encoded: message) else { return RendezvousAnswer() }
        let enters = knock.enters.compactMap { try? LedgerRecord(encoded: $0) }.filter { $0.home == zone.zone }
        guard enters.count == knock.enters.count, let lane = enters.first?.lane,
            Ed25519.verify(
                signature: knock.signature, message: JoinMessage.knockMessage(meeting.handshakeHash),
                publicKey: lane.storage)
        else { return RendezvousAnswer() }
        do {
            let admission = try zone.invitations.admit(enters, wall: zone.store.wall)
            return RendezvousAnswer(message: welcome(admission, in: meeting), isNews: true)
        } catch let error as GroupError {
            return RendezvousAnswer(message: refuse(JoinRefusal(error), enters, in: meeting))
        }
    }

    private func welcome(_ admission: GroupInvitations.Admission, in meeting: RendezvousMeeting) -> [UInt8]? {
        let signed = JoinMessage.answerMessage(meeting.handshakeHash, .welcome)
        return answer(
            .welcome(
                JoinMessage.Welcome(
                    lane: zone.lane, signature: zone.store.device.signing.sign(signed),
                    genesis: zone.keys.genesis.encoded, firstRoot: zone.keys.firstRoot.secret,
                    shown: Self.encode(admission.shown))))
    }

    private func refuse(
        _ reason: JoinRefusal, _ enters: [LedgerRecord], in meeting: RendezvousMeeting
    ) -> [UInt8]? {
        let signed = JoinMessage.answerMessage(meeting.handshakeHash, .refused, reason: reason.rawValue)
        let path = zone.state.path(of: zone.membership.own)
        guard !path.isEmpty else { return nil }
        return answer(
            .refused(
                JoinMessage.Refusal(
                    reason: reason, lane: zone.lane, signature: zone.store.device.signing.sign(signed),
                    genesis: zone.keys.genesis.encoded,
                    shown: Self.encode(path + zone.state.reasons(for: reason, enters)))))
    }

    private static func encode(_ records: [LedgerRecord]) -> [[UInt8]] {
        var seen: Set<RecordHash> = []
        return records.filter { seen.insert($0.hash).inserted }.map(\.encoded)
    }

    /// An answer that does not fit a message is not sent; the joiner tries somebody else.
    private func answer(_ message: JoinMessage) -> [UInt8]? {
        let encoded = message.encoded
        return encoded.count <= Limits.joinMessageBytes ? encoded : nil
    }
}

extension LedgerState {
    /// The records that prove a refusal.
    fileprivate func reasons(for reason: JoinRefusal, _ enters: [LedgerRecord]) -> [LedgerRecord] {
        switch reason {
        case .revoked: enters.first?.ticket.map(shown(against:key:)) ?? []
        case .closed: shownClose
        case .expired, .usedUp, .full, .notValid, .notReady: []
        }
    }
}

extension LedgerRecord {
    /// The ticket with which it enters, and its key.
    var ticket: (TicketID, key: Bytes32)? {
        guard case .enter(let enter) = act, case .ticket(let ticket, let key, _) = enter.entrance else { return nil }
        return (ticket, key)
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
            default: .notReady
            }
    }
}
