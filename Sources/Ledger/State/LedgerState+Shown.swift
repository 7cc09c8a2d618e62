package import NodeCore

/// Records that prove something to others: to a device that does not know another one, and to one that does not know
/// yet that it is gone.
extension LedgerState {
    /// The records that show that a lane belongs to the zone: its way back to a person or a first lane, and in a group
    /// the source of its member's role. The reader judges them as if all that they follow were held
    /// (`LedgerSet.assuming`). Empty for a lane that leads back to nobody.
    package func path(of key: LaneKey) -> [LedgerRecord] {
        guard let lane = set.number(of: key) else { return [] }
        var shown = ShownRecords(self)
        shown.addWay(of: lane)
        if !shown.isEmpty, !set.isAccount { shown.addRight(of: set.lanes[lane].member) }
        return shown.records
    }

    /// The records that show a lane why nobody talks to it any more: some of its Removes; in an account also of those
    /// of the lane that let it in; in a group the Words that dismissed its member, or its Leave, with their authors'
    /// ways back. Empty while it belongs here.
    package func removal(of key: LaneKey) -> [LedgerRecord] {
        guard let lane = set.number(of: key) else { return [] }
        // One is enough to show it; its person may have made more than can be shown.
        let removes = (set.isAccount ? trust.removes(above: lane) : trust.removes(of: lane)).prefix(Limits.shownEnds)
        guard removes.isEmpty, !set.isAccount else { return removes.map { set.records[$0] } }
        let member = set.lanes[lane].member
        var shown = ShownRecords(self)
        if words.dismissed.contains(member) {
            let last = words.words[member]?.words.first { set.records[$0].word?.role == Role.none }
            if let last { shown.add(last) }
        } else if membership.left.contains(member) {
            let leave = membership.isBounded.indices.first { record in
                set.links[record].kind == .leave && set.links[record].lane.map { set.lanes[$0].member } == member
            }
            if let leave { shown.add(leave) }
        }
        if !shown.isEmpty { shown.addWay(of: lane) }
        return shown.records
    }

    /// An invitation and the records that took one of its tickets away, each with its author's way back: for a joiner
    /// who knocks with the ticket, or who came by it and does not stand. A group's end takes away all tickets that
    /// nobody had used. Empty while nothing took the ticket away.
    package func shown(against ticket: TicketID, key: Bytes32) -> [LedgerRecord] {
        guard let invite = set.number(of: ticket.invite) else { return [] }
        var shown = ShownRecords(self)
        shown.add(invite)
        switch standing(of: ticket, key: key) {
        case .used(let other): set.number(known: other).map { shown.addUse(of: ticket, by: $0) }
        case .revoked: for end in ends(of: invite) { shown.add(end) }
        case .open, .unknown:
            // After a group's end, no ticket lets anybody in.
            guard let close = words[.close].first else { return [] }
            shown.add(close)
        case .foreign: return []
        }
        return shown.records
    }

    /// The records that made an invitation stop counting: its Revokes by the owner or its author, those that removed
    /// its author, or the newest Word on an author who is not an admin.
    func ends(of invite: Int) -> [Int] {
        guard let lane = set.links[invite].lane else { return [] }
        let (hash, author) = (set.records[invite].hash, set.lanes[lane].member)
        let revokes = set.records.indices.filter { record in
            guard set.records[record].revoke?.invite == hash, let by = set.links[record].lane else { return false }
            return [author, set.owner].contains(set.lanes[by].member) && counts(set.records[record].hash)
        }
        // One is enough to show it; the author may have made more than can be shown, and have let some people stay by
        // each.
        let owners = revokes.filter { set.links[$0].lane.map { set.lanes[$0].member } == set.owner }
        guard revokes.isEmpty else {
            return Array((owners + revokes.filter { !owners.contains($0) }).prefix(Limits.shownEnds))
        }
        let removal = removal(of: set.lanes[lane].key).compactMap { set.number(of: $0.hash) }
        guard removal.isEmpty, author != set.owner, membership.roles[author] < .admin, let said = words.words[author]
        else { return removal }
        return [set.number(of: said.newest.hash)].compactMap(\.self)
    }

    /// The record that closed the group, with the way back of the owner's device.
    package var shownClose: [LedgerRecord] {
        var shown = ShownRecords(self)
        if let close = words[.close].first { shown.add(close) }
        return shown.records
    }
}

/// Collects records, each once, with all that a reader needs who holds nothing of what comes before them.
private struct ShownRecords {
    private let state: LedgerState
    private var numbers: [Int] = []

    init(_ state: LedgerState) { self.state = state }

    private var set: LedgerSet { state.set }

    var isEmpty: Bool { numbers.isEmpty }
    var records: [LedgerRecord] { numbers.map { set.records[$0] } }

    /// A record and its author's way back.
    mutating func add(_ record: Int) {
        guard !numbers.contains(record) else { return }
        numbers.append(record)
        if let lane = set.links[record].lane { addWay(of: lane) }
    }

    /// The Enters that lead back, the lane's first, and the Remove that names one of them as a child.
    mutating func addWay(of lane: Int) {
        let trust = state.trust
        var next: Int? = lane
        for _ in 0...set.bounds.depth {
            guard let lane = next, let reason = trust.reason(lane), !numbers.contains(reason.record) else { return }
            numbers.append(reason.record)
            guard case .lane(let up) = reason.by, trust.roots[lane]?.by == .lane else { return }
            if let remove = trust.remove(of: up, keeping: set.records[reason.record].hash) {
                return numbers.append(remove)
            }
            next = up
        }
    }

    /// The newest Word on a member, or the invitation on whose ticket it stands, with its author's way back.
    mutating func addRight(of member: Int) {
        guard member != set.owner else { return }
        if let said = state.words.words[member], let newest = set.number(of: said.newest.hash) {
            add(newest)
            // A Word that a device wrote by itself counts with the invitation.
            let ticket = set.records[newest].word?.ticket
            if let invite = ticket.flatMap({ set.number(of: $0.ticket.invite) }) { add(invite) }
        } else if let ticket = state.membership.claims[member], let invite = set.number(of: ticket.invite) {
            // The way back may go by another ticket, which is worth nothing.
            addUse(of: ticket, by: member)
            add(invite)
            // The issuer is an admin, by the owner's Word or ticket: one step more.
            if let issuer = set.links[invite].lane.map({ set.lanes[$0].member }) { addRight(of: issuer) }
        }
    }

    /// The Word on a member that names a ticket, and the member's Enter by it: it may have others with other keys.
    mutating func addUse(of ticket: TicketID, by member: Int) {
        let keys = set[ticket.invite]?.invite?.keys ?? []
        let word = state.words.words[member]?.words.first { set.records[$0].word?.ticket?.ticket == ticket }
        let claim = set.claims.first { claim in
            guard case .enter(let enter) = set.records[claim].act, case .ticket(ticket, let key, _) = enter.entrance,
                keys.indices.contains(Int(ticket.index)), keys[Int(ticket.index)] == key
            else { return false }
            return set.links[claim].lane.map { set.lanes[$0].member } == member
        }
        for use in [word, claim].compactMap(\.self) { add(use) }
    }
}
