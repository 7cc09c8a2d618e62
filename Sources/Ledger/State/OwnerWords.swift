import NodeCore

/// The second stratum: what genesis' member says. In an account that is everything; in a group the Words, Titles,
/// Rotates and Closes, which only the owner signs.
struct OwnerWords: Sendable {
    /// All Words on one member, joined.
    struct Said: Sendable {
        /// By record.
        var words: [Int] = []
        /// The highest (revision, hash), which says the role.
        var newest: (revision: UInt64, hash: RecordHash) = (0, .zero)
        var role = Role.none
        /// The heads that each Word names, with the role for which it keeps what is behind them.
        var heads: [(heads: [RecordHash], keep: Role)] = []
    }

    private let set: LedgerSet
    let trust: LaneTrust
    /// The owner's lanes that have a place.
    private(set) var places: [Int]
    /// The records of these within their bounds, by the kind's number, in no order that matters.
    private var records: [[Int]] = Array(repeating: [], count: LedgerKind.allCases.count)
    /// The records behind the heads of all Closes; nil while the group is open.
    private(set) var last: Set<Int>?
    /// The heads of all Closes, rows among them.
    private(set) var lastHeads: Set<RecordHash> = []
    /// The group in which a closed group continues, by its Close with the lowest hash.
    private(set) var successor: Close.Successor?
    /// For each member: the Words that count, joined.
    private(set) var words: [Int: Said] = [:]
    /// Members dismissed for ever.
    private(set) var dismissed: Set<Int> = []
    /// What Words name of each dismissed member: found once, since Words may name many lanes of one member.
    private var spared: [Int: Set<Int>] = [:]
    /// Tickets that Words have taken up: used for ever.
    private(set) var used: Set<TicketID> = []
    /// The owner's invitations with which Words stand.
    private(set) var vouchers: Set<Int> = []

    init(_ trust: LaneTrust) {
        set = trust.set
        self.trust = trust
        places = trust.places(of: set.owner, limit: set.bounds.ownerLanes)
        let bound = set.isAccount ? set.bounds.accountRecords : set.bounds.ownerRecords
        for lane in places {
            for record in trust.bounded(lane, to: bound) {
                if let kind = set.links[record].kind { records[Int(kind.rawValue)].append(record) }
            }
        }
        guard !set.isAccount else { return }
        close()
        judgeWords()
    }

    subscript(kind: LedgerKind) -> [Int] { records[Int(kind.rawValue)] }

    private mutating func close() {
        let closes = self[.close]
        guard !closes.isEmpty else { return }
        for record in closes.sorted(by: { set.records[$0].hash < set.records[$1].hash }) {
            guard case .close(let close) = set.records[record].act else { continue }
            lastHeads.formUnion(close.heads)
            successor = successor ?? close.successor
        }
        last = set.behind(lastHeads)
    }

    private mutating func judgeWords() {
        for record in self[.word] {
            guard case .word(let word) = set.records[record].act, let member = set.links[record].subject,
                member != set.owner
            else { continue }
            if let invite = needed(by: word) {
                guard let voucher = set.number(of: invite), isVoucher(voucher) else { continue }
                vouchers.insert(voucher)
            }
            words[member, default: Said()].hear(word, record, set.records[record].hash)
            if word.role == .none { dismissed.insert(member) }
            if let ticket = word.ticket { used.insert(ticket.ticket) }
        }
        for member in dismissed { spared[member] = set.behind(heads(on: member), of: member) }
    }

    /// A Word that a device wrote by itself, for a ticket of the owner's, stands only as long as the invitation does:
    /// otherwise an honest device would confirm for ever whomever a stolen one let in.
    private func needed(by word: Word) -> RecordHash? {
        guard word.revision == 1, let ticket = word.ticket, ticket.issuer == set.members[set.owner].id else {
            return nil
        }
        return ticket.ticket.invite
    }

    private func isVoucher(_ record: Int) -> Bool {
        trust.keeps(record) && set.links[record].lane.map { set.lanes[$0].member } == set.owner
    }

    /// True if a record was there when the group was closed, or the group is open, or it is the owner's.
    func isLive(_ record: Int) -> Bool {
        guard let last else { return true }
        return last.contains(record) || set.links[record].lane.map { set.lanes[$0].member == set.owner } ?? false
    }

    /// Which records of a lane can count: none after a close (except those of the successor's founder, who still offers
    /// tickets), and of a dismissed member only those that Words name. Nil if all can.
    func isOpen(in lane: Int) -> ((Int) -> Bool)? {
        let member = set.lanes[lane].member
        let isDismissed = dismissed.contains(member)
        guard isDismissed || last != nil && member != set.owner else { return nil }
        let named = spared[member] ?? []
        let isFounders = successor?.founder == set.members[member].id
        return { record in
            (!isDismissed || named.contains(record)) && (isFounders || isLive(record))
        }
    }

    /// The heads of the Words on a member that keep what `role` may write.
    func heads(on member: Int, keeping role: Role = .none) -> [RecordHash] {
        guard let said = words[member] else { return [] }
        return Array(Set(said.heads.lazy.filter { $0.keep >= role }.flatMap(\.heads)))
    }
}

extension OwnerWords.Said {
    fileprivate mutating func hear(_ word: Word, _ record: Int, _ hash: RecordHash) {
        words.append(record)
        if words.count == 1 || (word.revision, hash) > newest { (newest, role) = ((word.revision, hash), word.role) }
        if !word.heads.isEmpty { heads.append((word.heads, word.keep)) }
    }
}
