package import Ledger
package import NodeCore
import SyncState

/// The group in which this one continues: its founder offers each member a ticket, sealed to that member's devices, and
/// the owner closes this group with it. It replaces a change of owner, and an owner that is lost.
package final class GroupSuccessor {
    private let context: GroupContext

    init(_ context: GroupContext) {
        self.context = context
    }

    private var state: LedgerState { context.state }

    /// The members that need a ticket, ascending: all but this one.
    package var others: [MemberID] { state.members.keys.filter { $0 != context.member }.sorted() }

    /// The other members to whom no device of this member has offered a ticket of that group: they became known to it
    /// after its offers.
    package func missed(by group: ZoneID) -> [MemberID] {
        let mine = state.offers.filter { $0.founder == context.member && $0.offer.group == group }
        let offered = Set(mine.flatMap(\.offer.tickets).map { LaneKey($0.lane, of: $0.member) })
        return others.filter { member in
            let lanes = activeLanes(of: member)
            return !lanes.isEmpty && offered.isDisjoint(with: lanes)
        }
    }

    private func activeLanes(of member: MemberID) -> [LaneKey] {
        state.lanes(of: member).filter { state.standing(of: $0) == .active }
    }

    /// Offers each member a ticket of another group.
    ///
    /// - Parameter tokens: of that group, with as many tickets altogether as there are `members`.
    package func offer(_ tokens: [GroupToken], to members: [MemberID]) throws {
        guard let group = tokens.first?.group, group != context.keys.zone else { throw GroupError.notValid }
        try checkOffer(of: group)
        let tickets = tokens.flatMap { token in token.tickets.compactMap { OfferedTicket(token, ticket: $0) } }
        guard tickets.count >= members.count else { throw GroupError.notValid }
        var sealed: [Offer.Ticket] = []
        for (member, ticket) in zip(members, tickets) {
            for lane in activeLanes(of: member) {
                guard let key = state.sealKey(of: lane) else { continue }
                let bytes = ticket.sealed(to: key, member: member, group: group, random: &context.random)
                if let bytes { sealed.append(Offer.Ticket(member: member, lane: lane.lane, sealed: bytes)) }
            }
        }
        for start in stride(from: 0, to: sealed.count, by: Limits.offeredTickets) {
            let part = sealed[start...].prefix(Limits.offeredTickets)
            try context.write(.offer(Offer(group: group, tickets: Array(part))))
        }
    }

    /// Throws if the others would not accept such an offer: after the close they accept only one of its founder.
    private func checkOffer(of group: ZoneID) throws {
        let isChosen = chosen == Close.Successor(group: group, founder: context.member)
        if isChosen, context.access == .closed, [nil, .closed].contains(context.accountEnd) { return }
        try context.checkMember()
    }

    /// The groups that members offer, each once, ascending by the member.
    package var offers: [Close.Successor] {
        var seen: Set<Close.Successor> = []
        return state.offers.map { Close.Successor(group: $0.offer.group, founder: $0.founder) }
            .filter { seen.insert($0).inserted }.sorted { ($0.founder, $0.group) < ($1.founder, $1.group) }
    }

    /// The group in which a closed group continues.
    package var chosen: Close.Successor? { state.successor }

    /// The ticket of this device for such a group; nil if it was offered none.
    package func token(for successor: Close.Successor) -> GroupToken? {
        let device = context.store.device
        for (founder, offer) in state.offers where founder == successor.founder && offer.group == successor.group {
            for ticket in offer.tickets where ticket.lane == device.lane && ticket.member == context.member {
                let opened = OfferedTicket(
                    sealed: ticket.sealed, with: device.sealing, member: context.member, group: offer.group)
                if let opened { return opened.token(of: offer.group) }
            }
        }
        return nil
    }

    /// How many devices of this member are before this one when it is to follow, so that not all do at once.
    package var rank: Int {
        state.lanes(of: context.member).filter { state.standing(of: $0) == .active }
            .firstIndex(of: context.membership.own) ?? 0
    }
}

/// A ticket in an Offer: `ephemeral X25519 key ‖ sealed(invite ‖ door ‖ leaf ‖ secret)`.
struct OfferedTicket {
    private let invite: RecordHash
    private let door: [UInt8]
    private let leaf: TicketNode

    private static let plainBytes = RecordHash.byteCount + GroupToken.doorBytes + 1 + TicketNode.secretBytes

    init?(_ token: GroupToken, ticket: Int) {
        guard let leaf = token.nodes.first(where: { $0.leaves.contains(ticket) })?.leaf(ticket) else { return nil }
        (invite, door, self.leaf) = (token.invite, token.door, leaf)
    }

    /// Nil if nobody can have the key's secret.
    func sealed(
        to key: Bytes32, member: MemberID, group: ZoneID, random: inout any RandomSource
    ) -> [UInt8]? {
        let pair = X25519.KeyPair(secret: Secret(random: &random, count: X25519.secretBytes))
        guard let shared = try? pair.agree(with: key) else { return nil }
        let plain = invite.bytes + door + [leaf.number] + leaf.secret.withUnsafeBytes { Array($0) }
        return pair.publicKey.bytes
            + ChaChaPoly.seal(
                plain, associatedData: [], nonce: ChaChaPoly.Nonce(counter: 0),
                key: Self.key(shared, pair.publicKey, member, group))
    }

    init?(sealed: [UInt8], with pair: X25519.KeyPair, member: MemberID, group: ZoneID) {
        guard let ephemeral = Bytes32(bytes: sealed.prefix(Bytes32.byteCount)),
            let shared = try? pair.agree(with: ephemeral),
            let plain = try? ChaChaPoly.open(
                Array(sealed.dropFirst(Bytes32.byteCount)), associatedData: [], nonce: ChaChaPoly.Nonce(counter: 0),
                key: Self.key(shared, ephemeral, member, group)), plain.count == Self.plainBytes
        else { return nil }
        var reader = ByteReader(plain)
        guard let invite = try? reader.read(RecordHash.self), let door = try? reader.readBytes(GroupToken.doorBytes),
            let number = try? reader.readU8(), (64...127).contains(number),
            let secret = try? reader.readBytes(TicketNode.secretBytes)
        else { return nil }
        (self.invite, self.door) = (invite, door)
        leaf = TicketNode(number: number, secret: Secret(bytes: secret))
    }

    private static func key(_ shared: Secret, _ ephemeral: Bytes32, _ member: MemberID, _ group: ZoneID) -> Secret {
        HKDF.derive(shared, "group/offer", ephemeral.bytes + member.bytes + group.bytes)
    }

    func token(of group: ZoneID) -> GroupToken {
        GroupToken(
            group: group, invite: invite, people: Ledger.Limits.tickets, door: door, title: "", nodes: [leaf],
            hints: [])
    }
}
