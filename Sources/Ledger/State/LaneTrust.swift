import NodeCore

/// The first stratum: which lanes were removed, which of their records stay, and which lanes lead back to a person.
/// Nothing here depends on who is a member; docs/models/ledger.py has the same strata.
struct LaneTrust: Sendable {
    let set: LedgerSet
    /// By lane.
    private(set) var removals: [Removal?]
    /// For each lane: nil if it leads back to nobody, because it lapsed or was removed.
    private(set) var roots: [Rootedness?]
    /// The Removes that count, by record.
    private(set) var removes: [Int] = []

    /// The joint effect of all Removes of one lane.
    struct Removal: Sendable {
        var heads: Set<RecordHash> = []
        var stays: Set<BlobHash> = []
        var children: Set<RecordHash> = []
        /// Its own ledger records behind the heads.
        var kept: Set<Int> = []
    }

    /// How a lane leads back: places go to the lowest first.
    struct Rootedness: Comparable, Sendable {
        let by: Root
        /// Endorsements between it and that root.
        let depth: Int

        enum Root: Int, Sendable {
            case person, firstLane
            /// Endorsed by a lane that leads back, or that was removed and names it as a child.
            case lane
        }

        static func < (left: Self, right: Self) -> Bool {
            (left.by.rawValue, left.depth) < (right.by.rawValue, right.depth)
        }
    }

    init(_ set: LedgerSet) {
        self.set = set
        removals = Array(repeating: nil, count: set.lanes.count)
        roots = Array(repeating: nil, count: set.lanes.count)
        remove()
        root()
    }

    /// Unites the Removes of each lane.
    private mutating func remove() {
        var taken: [Int: Int] = [:]
        for number in set.removes.sorted(by: { set.records[$0].hash < set.records[$1].hash }) {
            guard let member = set.links[number].subject, case .remove(let remove) = set.records[number].act,
                taken[member, default: 0] < set.bounds.removes
            else { continue }
            taken[member, default: 0] += 1
            removes.append(number)
            let named = Set(remove.lanes)
            for lane in set.members[member].lanes where named.contains(set.lanes[lane].key.lane) {
                var removal = removals[lane] ?? Removal()
                removal.heads.formUnion(remove.heads)
                removal.stays.formUnion(remove.stays)
                removal.children.formUnion(remove.children)
                removals[lane] = removal
            }
        }
        for lane in removals.indices {
            guard let heads = removals[lane]?.heads else { continue }
            removals[lane]?.kept = set.behind(heads, in: lane)
        }
    }

    /// The least fixed point, breadth first, so that the depth found first is the least.
    private mutating func root() {
        var endorsed: [Int: [Int]] = [:]
        var level: [Int] = []
        for lane in set.lanes.indices where removals[lane] == nil {
            for entrance in set.lanes[lane].enters {
                let by: Rootedness.Root?
                switch entrance.by {
                case .person: by = .person
                case .first: by = .firstLane
                case .lane(let up):
                    endorsed[up, default: []].append(lane)
                    by =
                        removals[up]?.children.contains(set.records[entrance.record].hash) == true ? .lane : nil
                }
                guard let by else { continue }
                let new = Rootedness(by: by, depth: 0)
                if let known = roots[lane] { roots[lane] = min(known, new) } else { roots[lane] = new }
            }
            if set.isFirst(lane) { roots[lane] = min(roots[lane] ?? .first, .first) }
            if roots[lane] != nil { level.append(lane) }
        }
        for depth in 1...max(1, set.bounds.depth) {
            var next: [Int] = []
            for up in level {
                for lane in endorsed[up] ?? [] where roots[lane] == nil {
                    roots[lane] = Rootedness(by: .lane, depth: depth)
                    next.append(lane)
                }
            }
            level = next
        }
    }

    /// True if a ledger record stays as far as its lane is concerned: the lane leads back to a person, or a Remove
    /// names the record.
    func keeps(_ record: Int) -> Bool {
        guard let lane = set.links[record].lane else { return false }
        guard let removal = removals[lane] else { return roots[lane] != nil }
        return removal.kept.contains(record)
    }

    /// The first ledger records of a lane that stay, of those that are `open`. A removed lane counts the records that
    /// its Removes name. A replica enters and leaves, and says nothing else.
    func bounded(_ lane: Int, to limit: Int, where isOpen: ((Int) -> Bool)? = nil) -> ArraySlice<Int> {
        var records = set.lanes[lane].records
        if let isOpen { records.removeAll { !isOpen($0) } }
        if set.lanes[lane].key.isReplica {
            records.removeAll { set.links[$0].kind != .enter && set.links[$0].kind != .leave }
        }
        if removals[lane] == nil { return roots[lane] == nil ? [] : records.prefix(limit) }
        return records.filter(keeps).prefix(limit)
    }

    /// The lanes of a member that have a place: those named by `words` first, then the nearest to the person. A lane
    /// that was succeeded takes no place, but comes along with the one that succeeds it. The records that stay of
    /// removed lanes need no place.
    func places(of member: Int, limit: Int, named words: Set<Int> = []) -> [Int] {
        let mine = set.members[member].lanes
        var succeeded: Set<Int> = []
        var live: [(isUnnamed: Int, root: Rootedness, key: LaneKey, lane: Int)] = []
        for lane in mine where removals[lane] == nil {
            guard let root = roots[lane] else { continue }
            if isSucceeded(lane) {
                succeeded.insert(lane)
            } else {
                live.append((words.contains(lane) ? 0 : 1, root, set.lanes[lane].key, lane))
            }
        }
        live.sort { ($0.isUnnamed, $0.root, $0.key) < ($1.isUnnamed, $1.root, $1.key) }
        var placed = live.map(\.lane)
        placed.removeLast(max(0, placed.count - limit))
        var taken = Set(placed)
        for lane in placed {
            var last = lane
            for _ in 0..<set.bounds.depth {
                guard let before = set.lanes[last].enters.lazy.compactMap(\.succeeds).first,
                    succeeded.contains(before), taken.insert(before).inserted
                else { break }
                placed.append(before)
                last = before
            }
        }
        return placed + mine.filter { removals[$0] != nil && hasKept($0) }
    }

    /// True if a lane is rooted, or a Remove keeps some of its records.
    func hasKept(_ lane: Int) -> Bool { removals[lane].map { !$0.kept.isEmpty } ?? (roots[lane] != nil) }

    /// True if a lane has a successor that is rooted: it writes no longer.
    func isSucceeded(_ lane: Int) -> Bool { set.lanes[lane].successors.contains { roots[$0] != nil } }
}

extension LaneTrust.Rootedness {
    fileprivate static let first = Self(by: .firstLane, depth: 0)
}

extension LedgerSet {
    /// True for the lane with which its member first came.
    func isFirst(_ lane: Int) -> Bool {
        !isAccount
            && lanes[lane].enters.contains { entrance in
                guard case .enter(let enter) = records[entrance.record].act else { return false }
                return enter.firstLane == lanes[lane].key.lane
            }
    }

    /// The heads that are ledger records, and all on their way to the Enter; with `lane` only that lane's, with
    /// `member` only those of that member's lanes.
    func behind(_ heads: some Sequence<RecordHash>, in lane: Int? = nil, of member: Int? = nil) -> Set<Int> {
        var behind: Set<Int> = []
        for head in heads {
            var next = number(of: head)
            while let record = next, let its = links[record].lane, lane == nil || its == lane,
                member == nil || lanes[its].member == member, behind.insert(record).inserted
            {
                next = links[record].parent
            }
        }
        return behind
    }
}

extension LaneTrust {
    /// The Enter on a lane's shortest way back; of several the one with the lowest hash. Nil if it leads to nobody.
    func reason(_ lane: Int) -> LedgerSet.Entrance? {
        guard let root = roots[lane] else { return nil }
        return set.lanes[lane].enters.first { entrance in
            switch entrance.by {
            case .person: root.by == .person
            case .first: root.by == .firstLane
            case .lane(let up):
                if root.by == .lane {
                    root.depth == 0
                        ? removals[up]?.children.contains(set.records[entrance.record].hash) ?? false
                        : roots[up].map { $0.depth + 1 == root.depth } ?? false
                } else {
                    root.by == .firstLane
                }
            }
        }
    }

    /// A Remove of a lane that keeps one which it let in. Others may name that one in Removes of their own.
    func remove(of lane: Int, keeping child: RecordHash) -> Int? {
        removes.first { number in
            guard let remove = self.remove(number, of: lane) else { return false }
            return remove.children.contains(child)
        }
    }

    /// The Removes that name a lane.
    func removes(of lane: Int) -> [Int] { removes.filter { remove($0, of: lane) != nil } }

    /// The content of a Remove, if its person's is this lane and it names that.
    private func remove(_ number: Int, of lane: Int) -> Remove? {
        guard case .remove(let remove) = set.records[number].act,
            set.links[number].subject == set.lanes[lane].member, remove.lanes.contains(set.lanes[lane].key.lane)
        else { return nil }
        return remove
    }

    /// The Removes of a lane, or else of the first removed lane found on the way up from it; none if a lane that leads
    /// back is found before one.
    func removes(above lane: Int) -> [Int] {
        var line = [lane]
        var next = 0
        while next < line.count {
            let removes = removes(of: line[next])
            guard removes.isEmpty else { return removes }
            guard roots[line[next]] == nil else { return [] }
            for case .lane(let up) in set.lanes[line[next]].enters.map(\.by) where !line.contains(up) {
                line.append(up)
            }
            next += 1
        }
        return []
    }
}
