package import NodeCore
package import SyncState

/// Seeks a member who admits this account to a group, with a token.
///
/// Only tokens whose chain verifies get here (`GroupToken`): nobody is contacted with any other. An answer counts if it
/// is signed, for this session, by a proven member; a welcome must also prove that the joiner is now a member, and its
/// roots must match the commitments in the group's records.
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
    private let memberKey: Ed25519.KeyPair
    package let keys: PlaceKeys

    /// - Parameter memberSeed: seed of the account's member key in the group.
    package init(_ pending: PendingJoin, memberSeed: Secret) {
        self.pending = pending
        memberKey = Ed25519.KeyPair(seed: memberSeed)
        let pair = RendezvousKeys(Secret(bytes: pending.token.rendezvous))
        keys = PlaceKeys(discovery: [pair.discovery], session: [pair.session])
    }

    package var member: MemberID { MemberID(memberKey.publicKey) }
    package var group: ZoneID { pending.token.group }
}

extension JoinAttempt: Rendezvous {
    package var handle: PlaceID {
        PlaceID(Blake2b.hash32(group.bytes, member.bytes, domain: "kachat attempt"))
    }
    package var role: RendezvousRole { .seeks }

    package func opened(_ meeting: RendezvousMeeting) -> [UInt8]? {
        guard case .waiting = state else { return nil }
        return JoinMessage.knock(
            JoinMessage.Knock(
                issuer: pending.token.issuer, admission: pending.token.admission(of: member),
                signature: memberKey.sign(JoinMessage.knockMessage(meeting.handshakeHash)))
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
            guard let isFinal = finality(of: refusal, in: meeting) else { return RendezvousAnswer() }
            state = isFinal ? .refused(refusal.reason) : .waiting(refusal.reason)
            return RendezvousAnswer(isNews: before != refusal.reason)
        case .knock, nil:
            return RendezvousAnswer()
        }
    }

    /// True if a refusal ends the search; nil if its sender is not a proven member. A single member may be wrong or
    /// lie: a refusal is final if the owner's signature proves it, or if it comes from the token's issuer or the owner.
    /// Otherwise it is reported, and the search continues.
    private func finality(of refusal: JoinMessage.Refusal, in meeting: RendezvousMeeting) -> Bool? {
        let message = JoinMessage.answerMessage(
            meeting.handshakeHash, .refused, reason: refusal.reason.rawValue)
        let state = GroupState(group: group, records: refusal.vouchers)
        guard state.members[refusal.member] != nil,
            Ed25519.verify(signature: refusal.signature, message: message, publicKey: refusal.member.storage)
        else { return nil }
        guard refusal.reason.isLasting else { return false }
        switch refusal.reason {
        case .revoked:
            let link = pending.token.chain[0]
            return state.invitation(of: link, by: pending.token.issuer).map { state.isRevoked($0.hash) } ?? false
        case .closed: return state.isClosed
        case .removedKey: return state.removed.contains(member)
        default: return refusal.member == state.owner || refusal.member == pending.token.issuer
        }
    }

    private func accept(_ welcome: JoinMessage.Welcome, in meeting: RendezvousMeeting) -> GroupWelcome? {
        let message = JoinMessage.answerMessage(meeting.handshakeHash, .welcome)
        let state = GroupState(group: group, records: welcome.vouchers)
        guard Ed25519.verify(signature: welcome.signature, message: message, publicKey: welcome.member.storage),
            state.members[member] != nil, state.members[welcome.member] != nil,
            let genesis = state.genesis, welcome.epochs[0].record == genesis.hash,
            genesis.rootCommitment == Genesis.commitment(to: welcome.epochs[0].root),
            // With a wrong root it would meet nobody. Roots in between are checked when their records are here.
            let newest = welcome.epochs.last, state.roots.contains(newest.record),
            welcome.vouchers.first(where: { $0.hash == newest.record })?.rootCommitment
                == Genesis.commitment(to: newest.root)
        else { return nil }
        return GroupWelcome(
            group: group, epochs: welcome.epochs, vouchers: welcome.vouchers, address: meeting.address)
    }
}
