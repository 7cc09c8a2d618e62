import Ledger
import NodeCore
import SyncState

/// Which rows of a group count: those of lanes that have a place; where a Remove, a Word or a Close names heads, what
/// is behind them (docs/PROTOCOL.md, §5.2).
///
/// A head names the seq of its row, so what is above it is refused before it is held. What is below, and not behind it,
/// is held and does not count: another branch of a lane that was written twice.
final class GroupRows: RowRules {
    private unowned let store: ZoneStore
    /// The lanes of members when rows were last filed.
    private var filedLanes: Set<LaneKey> = []
    private let membership: ZoneMembership
    /// The bounds by which the rows now held were judged.
    private var applied: [LaneID: UInt64] = [:]
    private var judged: UInt64 = 0
    /// The seq up to which the rows of a lane are held, for those that were asked for; at this revision of the ledger.
    private var bounds: [LaneID: UInt64] = [:]
    private var rules: [Question: LedgerState.RowRule] = [:]
    private var knownOf: UInt64 = 0
    /// The rows behind heads, each with the number of rows from which they were found.
    private var behind: [Chain: (rows: Int, names: Set<RecordHash>)] = [:]

    private struct Question: Hashable {
        let lane: LaneKey
        let role: Role
    }

    private struct Chain: Hashable {
        let lane: LaneID
        let heads: [RecordHash]
    }

    init(_ store: ZoneStore, _ membership: ZoneMembership) {
        (self.store, self.membership) = (store, membership)
        reload()
    }

    private var now: UInt64 { membership.records.revision }

    /// At the start and after a rollback: the rows that are held were judged by this ledger.
    func reload() {
        judged = now
        applied = [:]
        behind = [:]
        for lane in store.numbers.keys { applied[lane] = bound(of: lane) }
    }

    // MARK: Holding

    func verdict(on record: Record) -> RowVerdict {
        let bound = bound(of: record.lane)
        guard bound > 0 else { return .waits }
        if applied[record.lane] == nil { applied[record.lane] = bound }
        return record.seq <= bound ? .counts : .removed
    }

    func isListed(_ record: Record) -> Bool { false }

    func lists(of lane: LaneID) -> [[UInt8]] { [] }

    /// Judges the rows again of lanes whose bound changed. Part of each commit.
    func settle() throws {
        guard judged != now else { return }
        judged = now
        for lane in store.numbers.keys.sorted() {
            let bound = bound(of: lane)
            guard let before = applied.updateValue(bound, forKey: lane), before != bound else { continue }
            try RowJudging(store, by: self).judgeAgain(lane: lane)
        }
    }

    /// The seq up to which a lane's rows are held: zero for the lane of somebody who does not belong here.
    private func bound(of lane: LaneID) -> UInt64 {
        if knownOf != now { (bounds, rules, behind, knownOf) = ([:], [:], [:], now) }
        if let known = bounds[lane] { return known }
        let bound = membership.state.keys(of: lane).map(bound).max() ?? 0
        // Anybody can invent lanes.
        if bound > 0 { bounds[lane] = bound }
        return bound
    }

    private func bound(of key: LaneKey) -> UInt64 {
        switch membership.state.rows(of: key, needing: .viewer) {
        case .none, .listed: 0
        case .all: SyncState.Limits.highestSeq
        case .behind(let each): each.map { $0.compactMap(rowSeq).max() ?? 0 }.min() ?? 0
        }
    }

    /// The seq of the row that a head names; nil if it is a control record.
    private func rowSeq(_ head: RecordHash) -> UInt64? {
        let seq = head.storage.w0
        return (1...SyncState.Limits.highestSeq).contains(seq) && !membership.state.set.contains(head) ? seq : nil
    }

    // MARK: Counting

    /// Whether a row that is held counts for a member that needs a role to write it.
    ///
    /// - Parameter name: `Record.name`
    func counts(_ name: RecordHash, of key: LaneKey, needing role: Role) throws -> Bool {
        switch rule(of: key, needing: role) {
        case .none, .listed: false
        case .all: true
        case .behind(let each): try each.allSatisfy { try names(behind: $0, in: key.lane).contains(name) }
        }
    }

    /// Whether all held rows of a member's lanes count.
    func rule(of key: LaneKey, needing role: Role) -> LedgerState.RowRule {
        if knownOf != now { (bounds, rules, behind, knownOf) = ([:], [:], [:], now) }
        let question = Question(lane: key, role: role)
        if let known = rules[question] { return known }
        let rule = membership.state.rows(of: key, needing: role)
        // Anybody can invent members.
        if case .none = rule { return rule }
        rules[question] = rule
        return rule
    }

    /// The rows of a lane from which the way to one of these heads is here.
    func names(behind heads: [RecordHash], in lane: LaneID) throws -> Set<RecordHash> {
        let (chain, rows) = (Chain(lane: lane, heads: heads), store.lane(lane)?.rows ?? 0)
        if let known = behind[chain], known.rows == rows { return known.names }
        var found: Set<RecordHash> = []
        guard let number = store.laneNumber(lane) else { return found }
        for head in heads {
            var next: RecordHash? = head
            while let name = next, let seq = rowSeq(name), !found.contains(name),
                let record = try store.records(lane: number, seq: seq).first(where: { $0.name == name })
            {
                found.insert(name)
                next = record.header.prev
            }
        }
        behind[chain] = (rows, found)
        return found
    }

    // MARK: Filing

    /// Whether a row has a place in memory or the tables. None has one that names a member for whom its lane did not
    /// enter: it counts nowhere, and there can be any number of these.
    func isFiled(_ content: GroupRecord?, in lane: LaneID) -> Bool {
        content.map { membership.state.wayIn(of: LaneKey(lane, of: $0.member)) != nil } ?? true
    }

    /// The lanes with rows that have entered for a member since the last call: these rows may name that one.
    func takeNewLanes() -> [LaneKey] {
        let lanes = Set(membership.state.enteredLanes)
        let new = lanes.subtracting(filedLanes).filter { store.lane($0.lane)?.rows ?? 0 > 0 }
        filedLanes = lanes
        return new.sorted()
    }

    // MARK: Naming

    /// The record that the next row of this device follows: its last one, or its Enter.
    var previous: RecordHash? {
        get throws {
            let own = store.own
            if own.head > 0, let number = store.laneNumber(own.id),
                let last = try store.records(lane: number, seq: own.head).last
            {
                return last.name
            }
            return membership.state.entrance(of: membership.own)
        }
    }

    /// The ends of all that these lanes wrote, as far as it is here and counts: control records and rows.
    ///
    /// - Parameter since: only what came here before that time; nil for all. How each lane came in is always named, so
    ///   that somebody who came by a ticket with a lane that is gone keeps the ticket.
    func ends(of lanes: [LaneKey], before since: WallTime? = nil) throws -> [RecordHash] {
        var ends = try controlEnds(of: lanes, before: since)
        for lane in lanes {
            // Whether they count is looked up in the same table.
            var rows: [(name: RecordHash, prev: RecordHash?)] = []
            try RowArrivals(store).forEach(of: lane.lane) { encoded, at, isHeld in
                guard isHeld, since.map({ at < $0 }) ?? true, let record = try? Record(encoded: encoded) else { return }
                rows.append((record.name, record.header.prev))
            }
            var tips: Set<RecordHash> = []
            var lengths: [RecordHash: Int] = [:]
            for row in rows where try counts(row.name, of: lane, needing: .viewer) {
                if let prev = row.prev { tips.remove(prev) }
                tips.insert(row.name)
                lengths[row.name] = 1 + (row.prev.flatMap { lengths[$0] } ?? 0)
            }
            // Its writer can make as many as it has rows, and each would cost all members a place in a record.
            let longest = tips.sorted { (-(lengths[$0] ?? 0), $0) < (-(lengths[$1] ?? 0), $1) }
            ends += longest.prefix(Limits.namedEnds).sorted()
        }
        return ends
    }

    /// The ends of what these lanes wrote in the ledger, and their first row: rows above the highest seq that is named
    /// are held by nobody.
    func endsWithoutRows(of lanes: [LaneKey]) throws -> [RecordHash] {
        var first: RecordHash?
        for lane in lanes {
            try RowArrivals(store).forEach(of: lane.lane) { encoded, _, isHeld in
                guard isHeld, let name = (try? Record(encoded: encoded))?.name else { return }
                // A name begins with its seq.
                first = first.map { min($0, name) } ?? name
            }
        }
        return try controlEnds(of: lanes, before: nil) + (first.map { [$0] } ?? [])
    }

    private func controlEnds(of lanes: [LaneKey], before since: WallTime?) throws -> [RecordHash] {
        try lanes.flatMap { lane in
            let entrance = membership.state.wayIn(of: lane)?.enter
            return try membership.state.ends(of: lane) { record in
                guard let since, record != entrance else { return true }
                return try membership.records.arrived(record).map { $0 < since } ?? true
            }
        }
    }
}

/// The rows of a group but its scores: read from all of them at the start, added to as they arrive, and independent of
/// their order. A member writes as many as it likes, so only so many of each are kept, those of the highest revisions.
struct GroupContents {
    struct Held<Content> {
        /// `Record.name`
        let name: RecordHash
        let lane: LaneID
        let revision: UInt32
        let content: Content
    }

    private var gamesOf: [MemberID: [GameID: [Held<GameEntry>]]] = [:]
    private var namesOf: [MemberID: [Held<MemberName>]] = [:]
    /// Records of a type that this version does not know.
    private(set) var unknown = 0

    /// In no order that matters.
    var games: [Held<GameEntry>] { gamesOf.values.flatMap { $0.values.flatMap(\.self) } }
    /// In no order that matters.
    var names: [Held<MemberName>] { namesOf.values.flatMap(\.self) }

    /// Enters a record whose row is held.
    mutating func enter(_ content: GroupRecord?, of record: Record) {
        switch content {
        case .score: break
        case .game(let entry):
            let id = entry.game.id
            let held = Held(name: record.name, lane: record.lane, revision: entry.game.revision, content: entry)
            var games = gamesOf.removeValue(forKey: entry.member) ?? [:]
            Self.put(held, among: &games[id, default: []])
            if games.count > Limits.heldGames, let last = games.keys.max() { games[last] = nil }
            gamesOf[entry.member] = games
        case .name(let name):
            let held = Held(name: record.name, lane: record.lane, revision: name.revision, content: name)
            Self.put(held, among: &namesOf[name.member, default: []])
        case nil: unknown += 1
        }
    }

    private static func put<Content>(_ held: Held<Content>, among all: inout [Held<Content>]) {
        let place = all.partitioningIndex { ($0.revision, $0.name) >= (held.revision, held.name) }
        guard place == all.count || all[place].name != held.name else { return }
        all.insert(held, at: place)
        if all.count > Limits.heldRevisions { all.removeFirst() }
    }
}
