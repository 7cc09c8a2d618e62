import Ledger
import NodeCore
import SyncState

/// Which rows of a group count: those of lanes that have a place; where a Remove, a Word or a Close names heads, what
/// is behind them (docs/PROTOCOL.md, §5.2).
///
/// A head names the seq of its row, so what is above it is refused before it is held. What is below, and not behind it,
/// is held and does not count: another branch of a lane that was written twice.
///
/// In a closed group, rows whose root does not count wait: nobody is given another root any more, so only devices that
/// happened to have it would hold these rows, and show other standings than the rest.
final class GroupRows: RowRules {
    unowned let store: ZoneStore
    private let membership: ZoneMembership
    /// The lanes of members when rows were last filed.
    private var filedLanes: Set<LaneKey> = []
    /// The bounds by which the rows now held were judged, and the roots.
    private var applied: [LaneID: UInt64] = [:]
    private var appliedRoots: Set<UInt64>?
    private var judged: UInt64 = 0
    /// The seq up to which the rows of a lane are held, for those that were asked for; at this revision of the ledger.
    private var bounds: [LaneID: UInt64] = [:]
    private var rules: [Question: LedgerState.RowRule] = [:]
    /// In a closed group, the ids of the roots that count.
    private var lastRoots: Set<UInt64>?
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
        keepUp()
        appliedRoots = lastRoots
        for lane in store.numbers.keys { applied[lane] = bound(of: lane) }
    }

    // MARK: Holding

    func verdict(on record: Record) -> RowVerdict {
        let bound = bound(of: record.lane)
        guard bound > 0 else { return .waits }
        if applied[record.lane] == nil { applied[record.lane] = bound }
        guard record.seq <= bound else { return .removed }
        return lastRoots?.contains(record.header.keyVersion) == false ? .waits : .counts
    }

    func isListed(_ record: Record) -> Bool { false }

    func lists(of lane: LaneID) -> [[UInt8]] { [] }

    /// Judges again the rows of lanes whose bound changed, and all rows when a group ends or other roots count then.
    /// Part of each commit.
    func settle() throws {
        guard judged != now else { return }
        judged = now
        keepUp()
        let hasNewRoots = appliedRoots != lastRoots
        appliedRoots = lastRoots
        for lane in store.numbers.keys.sorted() {
            let bound = bound(of: lane)
            guard let before = applied.updateValue(bound, forKey: lane), before != bound || hasNewRoots else {
                continue
            }
            try RowJudging(store, by: self).judgeAgain(lane: lane)
        }
    }

    /// The seq up to which a lane's rows are held: zero for the lane of somebody who does not belong here.
    private func bound(of lane: LaneID) -> UInt64 {
        keepUp()
        if let known = bounds[lane] { return known }
        let bound = membership.state.keys(of: lane).map(bound).max() ?? 0
        // Anybody can invent lanes.
        if bound > 0 { bounds[lane] = bound }
        return bound
    }

    /// Forgets what followed from an earlier ledger.
    private func keepUp() {
        guard knownOf != now else { return }
        (bounds, rules, behind, knownOf) = ([:], [:], [:], now)
        let state = membership.state
        lastRoots = state.isClosed ? Set(state.rotates.keys.map(ZoneRoot.id)) : nil
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

    /// Whether a name or game may count, by its row's number: nothing is read for that, since it is asked while rows
    /// are read.
    func mayCount(_ content: GroupRecord?, of record: Record) -> Bool {
        guard let content, let need = content.need else { return false }
        switch rule(of: LaneKey(record.lane, of: content.member), needing: need) {
        case .none, .listed: return false
        case .all: return true
        case .behind(let each):
            return each.allSatisfy { heads in heads.contains { rowSeq($0).map { record.seq <= $0 } ?? false } }
        }
    }

    /// Whether all held rows of a member's lanes count.
    func rule(of key: LaneKey, needing role: Role) -> LedgerState.RowRule {
        keepUp()
        let question = Question(lane: key, role: role)
        if let known = rules[question] { return known }
        let rule = membership.state.rows(of: key, needing: role)
        // Anybody can invent members.
        if case .none = rule, membership.state.wayIn(of: key) == nil { return rule }
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

    /// Whether a row has a place in memory or the tables. A row that names a member for whom its lane did not enter has
    /// none: it counts nowhere, and there can be any number of these.
    func isFiled(_ content: GroupRecord?, in lane: LaneID) -> Bool {
        content.map { membership.state.wayIn(of: LaneKey(lane, of: $0.member)) != nil } ?? true
    }

    /// The lanes with rows that have entered for a member since the last call, which these rows may name; and whether
    /// one has ceased to have entered.
    func takeLaneChanges() -> (entered: [LaneKey], isAnyGone: Bool) {
        let lanes = Set(membership.state.enteredLanes)
        func hasRows(_ key: LaneKey) -> Bool { store.lane(key.lane)?.rows ?? 0 > 0 }
        let (new, gone) = (lanes.subtracting(filedLanes), filedLanes.subtracting(lanes))
        filedLanes = lanes
        return (new.filter(hasRows).sorted(), gone.contains(where: hasRows))
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

/// The rows of a group except its scores: read from all of them at the start, added to as they arrive, and independent
/// of their order. A member writes as many as it likes, so only so many of each are kept: first those that may count,
/// then those of the highest revisions.
struct GroupContents {
    struct Held<Content> {
        /// `Record.name`
        let name: RecordHash
        let lane: LaneID
        let revision: UInt32
        /// Whether its row's number lets it count.
        let mayCount: Bool
        let content: Content
    }

    fileprivate struct OfMember {
        var lanes: Set<LaneID> = []
        var games: [GameID: [Held<GameEntry>]] = [:]
        var names: [Held<MemberName>] = []
        /// Whether some found no place.
        var isCut = false
    }

    private var members: [MemberID: OfMember] = [:]
    /// The rules for rows of members of which some found no place: others may have one if the rules change.
    private var cutRules: [LaneKey: [LedgerState.RowRule]] = [:]
    /// Records of a type that this version does not know.
    private(set) var unknown = 0

    /// In no order that matters.
    var games: [Held<GameEntry>] { members.values.flatMap { $0.games.values.flatMap(\.self) } }
    /// In no order that matters.
    var names: [Held<MemberName>] { members.values.flatMap(\.names) }

    init() {}

    /// Reads all rows but scores, from where the tables have them.
    init(_ tables: ScoreTables, _ rows: GroupRows, read: (Record) throws -> GroupRecord?) throws {
        for row in try tables.otherRows() {
            for record in try rows.store.records(lane: row.lane, seq: row.seq) {
                let content: GroupRecord?
                do { content = try read(record) } catch { continue }
                // If a forked lane has a score at its place, the tables have that.
                if case .score? = content { continue }
                guard rows.isFiled(content, in: record.lane) else { continue }
                enter(content, of: record, rows)
            }
        }
        noteRules(rows)
    }

    /// Notes that all rows held were entered by the present rules.
    mutating func noteRules(_ rows: GroupRows) { cutRules = rulesOfCut(rows) }

    /// Whether rows that found no place may have one now, by other rules.
    func isStale(_ rows: GroupRows) -> Bool { rulesOfCut(rows) != cutRules }

    private func rulesOfCut(_ rows: GroupRows) -> [LaneKey: [LedgerState.RowRule]] {
        var rules: [LaneKey: [LedgerState.RowRule]] = [:]
        for (member, held) in members where held.isCut {
            for lane in held.lanes {
                let key = LaneKey(lane, of: member)
                rules[key] = [Role.viewer, .admin].map { rows.rule(of: key, needing: $0) }
            }
        }
        return rules
    }

    /// Enters a record whose row is held.
    mutating func enter(_ content: GroupRecord?, of record: Record, _ rows: GroupRows) {
        let mayCount = rows.mayCount(content, of: record)
        switch content {
        case .score: break
        case .game(let entry):
            let held = Held(
                name: record.name, lane: record.lane, revision: entry.game.revision, mayCount: mayCount, content: entry)
            members[entry.member, default: OfMember()].put(held)
        case .name(let name):
            let held = Held(
                name: record.name, lane: record.lane, revision: name.revision, mayCount: mayCount, content: name)
            members[name.member, default: OfMember()].put(held)
        case nil: unknown += 1
        }
    }
}

extension GroupContents.OfMember {
    fileprivate mutating func put(_ held: GroupContents.Held<GameEntry>) {
        lanes.insert(held.lane)
        if Self.put(held, among: &games[held.content.game.id, default: []]) { isCut = true }
        guard games.count > Limits.heldGames else { return }
        isCut = true
        let void = games.filter { !$0.value.contains(where: \.mayCount) }
        if let last = (void.isEmpty ? games : void).keys.max() { games[last] = nil }
    }

    fileprivate mutating func put(_ held: GroupContents.Held<MemberName>) {
        lanes.insert(held.lane)
        if Self.put(held, among: &names) { isCut = true }
    }

    /// - Returns: true if one found no place.
    private static func put<Content>(
        _ held: GroupContents.Held<Content>, among all: inout [GroupContents.Held<Content>]
    ) -> Bool {
        let place = all.partitioningIndex { ($0.revision, $0.name) >= (held.revision, held.name) }
        guard place == all.count || all[place].name != held.name else { return false }
        all.insert(held, at: place)
        guard all.count > Limits.heldRevisions else { return false }
        all.remove(at: all.firstIndex { !$0.mayCount } ?? 0)
        return true
    }
}
