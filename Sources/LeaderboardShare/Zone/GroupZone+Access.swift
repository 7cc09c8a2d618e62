package import NodeCore
package import SyncState

/// Decides which peers this node talks to: members known here, and those who prove their membership.
extension GroupZone {
    package var access: GroupAccess {
        let state = state
        if isDismissed || state.removed.contains(member) { return .removed }
        if state.isClosed { return .closed }
        let known = doorState
        if known.left.contains(member) { return .left }
        if known.members[member] == nil {
            let wasLetIn = known.records.contains { $0.kind == .admission && $0.act.subject == member }
            return wasLetIn ? .lapsed : .joining
        }
        if state.members[member] == nil { return .joining }
        return state.suspended.contains(member) ? .suspended : .member
    }

    /// No sessions are opened any more: this member was removed.
    package var isOver: Bool { isDismissed || state.removed.contains(member) }

    /// The member's key and its signature.
    package func proof(of message: [UInt8]) -> [UInt8] { member.bytes + memberKey.sign(message) }

    package func standing(of lane: LaneID, _ message: [UInt8], proof: [UInt8]) -> PeerStanding {
        guard let peer = Self.peer(message, proof) else { return .wrong }
        return standing(of: peer, doorState)
    }

    /// A member admitted by somebody unknown to this node, or whose admission is not known yet, proves its membership
    /// itself. That proof only decides whether this node talks to it.
    package func standing(
        of lane: LaneID, _ message: [UInt8], proof: [UInt8], vouchers: [UInt8]
    ) -> PeerStanding {
        guard let peer = Self.peer(message, proof) else { return .wrong }
        let known = standing(of: peer, doorState)
        guard known == .unknown, let records = try? Voucher.decode(vouchers) else { return known }
        let shown = GroupState(group: zone, records: doorState.records + records)
        let standing = standing(of: peer, shown)
        if standing == .unknown, let why = Dismissal.of(peer, shown: records, in: doorState) { return .dismissed(why) }
        if standing == .proven, vouched.count + records.count <= Limits.heldVouchers { take(vouchers: records) }
        return standing
    }

    private static func peer(_ message: [UInt8], _ proof: [UInt8]) -> MemberID? {
        guard proof.count == MemberID.byteCount + Ed25519.signatureBytes,
            let peer = MemberID(bytes: proof.prefix(MemberID.byteCount)),
            Ed25519.verify(
                signature: Array(proof.dropFirst(MemberID.byteCount)), message: message, publicKey: peer.storage)
        else { return nil }
        return peer
    }

    private func standing(of peer: MemberID, _ state: GroupState) -> PeerStanding {
        if state.removed.contains(peer) { return .dismissed(Dismissal.of(removed: peer, in: state)) }
        return peer == member || state.members[peer] != nil ? .proven : .unknown
    }

    package var vouchers: [UInt8] {
        guard let records = doorState.proof(of: [member]) else { return [] }
        let encoded = Voucher.encode(records)
        return encoded.count <= Limits.voucherBytes && records.count <= Limits.vouchers ? encoded : []
    }

    // MARK: Dismissal

    private static var dismissalKey: String { "dismissal" }

    /// A peer shows that this member was removed, or was admitted by a right that had been taken. Only the owner's
    /// signature proves it, not the peer's word.
    package func take(dismissal: [UInt8]) throws {
        guard !isOver else { return }
        switch Dismissal.finding(dismissal, about: member, in: doorState) {
        case .removed:
            try store.put(setting: Self.dismissalKey, dismissal)
            isDismissed = true
            noteAccess()
        case .lapsed(let records):
            isKnownToHaveLeft = isKnownToHaveLeft || records.contains { $0.kind == .leave && $0.by == member }
            let isNews = access != .lapsed && access != .left
            guard isNews, vouched.count + records.count <= Limits.heldVouchers else { return }
            try keep(vouchers: Array(vouched.values).sorted { $0.hash < $1.hash } + records)
            noteAccess()
        case nil: break
        }
    }

    /// Accepts another admission, by another invitation.
    package func take(_ welcome: GroupWelcome) throws {
        for epoch in welcome.epochs { _ = try hold(epoch) }
        try keep(vouchers: Array(vouched.values).sorted { $0.hash < $1.hash } + welcome.vouchers)
        noteAccess()
    }

    func loadDismissal() throws {
        isDismissed = try store.setting(Self.dismissalKey).map { !$0.isEmpty } ?? false
    }

    /// Records changes of the members this node may talk to.
    func noteAccess() {
        let role = isOver || access == .lapsed || access == .left ? nil : state.members[member]
        answersKnocks = (role ?? .viewer) >= .member && !state.validRecords(.invite).isEmpty
        let seen = SeenAccess(access: access, removed: state.removed)
        guard seen != seenAccess else { return }
        seenAccess = seen
        accessRevision += 1
    }

    struct SeenAccess: Equatable {
        let access: GroupAccess
        let removed: Set<MemberID>
    }
}
