package import NodeCore
import SyncState

/// Invitations and admissions. The admitting device checks what no function of the set can judge: the time, and how
/// often an invitation with limited uses was used.
extension GroupZone {
    /// Creates an invitation and its token.
    package func invite(
        role: Role = .member, expiresSeconds: UInt64 = Delegation.never, uses: UInt32 = Delegation.unlimited,
        hints: [SocketAddress] = []
    ) throws -> GroupToken {
        try checkMember()
        guard let own = state.members[member] else { throw GroupError.notMember }
        guard let authority = state.authority(of: member), role < own else { throw GroupError.notAllowed }
        let secret = TokenSecret(random: &random)
        let link = Delegation(role: role, expiresSeconds: expiresSeconds, uses: uses, key: secret.key.publicKey)
        let token = try GroupToken(
            group: zone, issuer: member, title: state.title?.title ?? "",
            rendezvous: ring.current.rendezvous.withUnsafeBytes { Array($0) }, link: link, secret: secret, hints: hints,
            sign: memberKey.sign)
        try write(.invite(link), under: authority)
        return token
    }

    /// Admits a joiner, and gives it the roots. An existing member only gets the roots again.
    ///
    /// - Parameter issuer: the issuer of the token.
    /// - Throws: `GroupError`; nothing is written then.
    package func admit(_ admission: Admission, issuer: MemberID, wall: WallTime) throws -> GroupWelcome {
        let state = state
        if state.isClosed { throw GroupError.closed }
        guard let own = state.members[member], own >= .member else { throw GroupError.notAllowed }
        guard ring.current.record == state.rootRecord?.hash, knowsRemovals else { throw GroupError.rootMissing }
        guard let first = admission.chain.first, admission.isProven(group: zone),
            zip(admission.chain.dropFirst(), admission.chain).allSatisfy({ $0.narrows($1) })
        else { throw GroupError.notValid }
        guard !state.removed.contains(admission.subject) else { throw GroupError.removed }
        if state.members[admission.subject] == nil {
            guard let invitation = state.invitation(of: first, by: issuer) else { throw GroupError.noSuchInvitation }
            guard !state.isRevoked(invitation.hash) else { throw GroupError.revoked }
            try check(admission, under: invitation, state, wall)
            try write(.admission(admission), under: invitation.hash)
            try settle()
        }
        return welcome
    }

    private func check(
        _ admission: Admission, under invitation: ControlRecord, _ state: GroupState, _ wall: WallTime
    ) throws {
        let seconds = UInt64(max(0, wall.milliseconds / 1_000))
        guard admission.chain.allSatisfy({ seconds < $0.expiresSeconds }) else { throw GroupError.expired }
        let uses = admission.chain.map(\.uses).min() ?? 0
        if uses != Delegation.unlimited {
            guard contents.issued.contains(invitation.hash) else { throw GroupError.notTheIssuer }
            guard state.admissions(under: invitation.hash) < Int(uses) else { throw GroupError.usedUp }
        }
        if case .genesis(let genesis)? = state.genesis?.act, state.members.count >= Int(genesis.memberLimit) {
            throw GroupError.full
        }
    }

    /// The held roots: the first epoch's, the others, and the current one last.
    package var welcome: GroupWelcome {
        let first = ring.epochs[0]
        let current = ring.current
        let others = ring.epochs.dropFirst().filter { $0.record != current.record }
        return GroupWelcome(
            group: zone, epochs: [first] + others + (current.record == first.record ? [] : [current]))
    }
}
