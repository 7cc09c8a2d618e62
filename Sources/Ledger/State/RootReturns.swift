import NodeCore

/// Roots that members of a group give back: an owner's device made one and sealed it to them, they wrote under it, and
/// the device was removed before the owner's other devices had the root. Its Rotate no longer counts until a counting
/// one builds on it. Without the root, the owner and all who come later could not read what was written under it. The
/// same holds for devices that came by the removed one, and for its own fresh starts: whoever removed it may not have
/// heard of these.
struct RootReturns: Sendable {
    private let set: LedgerSet
    /// How the owner's lanes came that lead up to a removed one: the Enter on the shortest way there, of several the
    /// one with the lowest hash.
    private var fallen: [Int: LedgerSet.Entrance] = [:]
    /// The Rotates of the owner's removed lanes, and of those that came by one, that do not count, by record, each with
    /// those of them on which it builds; whatever else it builds on must count. One that builds on anything else is not
    /// stored together with that, and would be void only to those who have that from earlier.
    private var below: [Int: [Int]] = [:]
    /// The Rotates of what was given back and of all void ones below, ascending by number.
    private var rotates: [Int] = []
    /// These, all behind them, how their lanes came, and whom they shut out, by number: stored although they do not
    /// count.
    private(set) var records: Set<Int> = []

    init(_ membership: Membership, _ words: OwnerWords, _ roots: RootTips) {
        let trust = words.trust
        set = trust.set
        guard !set.isAccount, roots.counting.count < roots.sound.count else { return }
        findFallen(trust)
        findVoid(roots, trust)
        guard !below.isEmpty else { return }
        var counting = Set(words[.rotate].map { set.records[$0].hash })
        counting.insert(RecordHash(set.zone.storage))
        var given: Set<RecordHash> = []
        for lane in membership.places where set.lanes[lane].member != set.owner {
            // A root that counts only because another goes on from it takes one of the few places, too: otherwise a
            // member and a removed device could ask for roots without end. So does an unknown one: otherwise it would
            // matter who has it.
            var mine: Set<RecordHash> = []
            for record in set.lanes[lane].records where mine.count < set.bounds.returns {
                guard case .seal(let seal) = set.records[record].act, !counting.contains(seal.rotate),
                    membership.isBounded[record], words.isLive(record),
                    membership.hasRight(record, needs: .viewer, keptFor: false)
                else { continue }
                mine.insert(seal.rotate)
            }
            given.formUnion(mine)
        }
        var ways: Set<Int> = []
        for root in given {
            guard let way = way(of: root) else { continue }
            ways.formUnion(way.records)
            records.formUnion(wayAndCovered(way, roots.gone))
        }
        rotates = below.keys.filter(ways.contains).map { (number: number($0, roots), record: $0) }.sorted {
            $0 < $1
        }.map(\.record)
    }

    private mutating func findFallen(_ trust: LaneTrust) {
        let mine = set.members[set.owner].lanes
        var endorsed: [Int: [(lane: Int, by: LedgerSet.Entrance)]] = [:]
        for lane in mine where trust.removals[lane] == nil {
            for entrance in set.lanes[lane].enters {
                if case .lane(let up) = entrance.by { endorsed[up, default: []].append((lane, entrance)) }
            }
        }
        var level = mine.filter { trust.removals[$0] != nil }
        for _ in 0..<set.bounds.depth where !level.isEmpty {
            var next: [Int: LedgerSet.Entrance] = [:]
            for (lane, entrance) in level.compactMap({ endorsed[$0] }).joined() where fallen[lane] == nil {
                let known = next[lane].map { set.records[$0.record].hash }
                if known.map({ set.records[entrance.record].hash < $0 }) ?? true { next[lane] = entrance }
            }
            fallen.merge(next) { known, _ in known }
            level = Array(next.keys)
        }
    }

    private mutating func findVoid(_ roots: RootTips, _ trust: LaneTrust) {
        var work: [(number: UInt64, record: Int, tips: [RecordHash])] = []
        for (hash, step) in roots.sound where roots.counting[hash] == nil {
            guard let record = set.number(of: hash), let lane = set.links[record].lane,
                trust.removals[lane] != nil || fallen[lane] != nil
            else { continue }
            work.append((step.number, record, step.tips))
        }
        work.sort { $0.number < $1.number }
        for (_, record, tips) in work {
            let void = tips.filter { roots.counting[$0] == nil }.compactMap(set.number(of:))
            if void.allSatisfy({ below[$0] != nil }) { below[record] = void }
        }
    }

    private func number(_ record: Int, _ roots: RootTips) -> UInt64 {
        roots.sound[set.records[record].hash]?.number ?? 0
    }

    /// True for a root made by an owner's device that was later removed, or that came by such a one, if no root that
    /// counts builds on it.
    func isVoid(_ root: RecordHash) -> Bool { way(of: root) != nil }

    private struct Way {
        /// The Rotates of a void root and of the void ones below it.
        let rotates: Set<Int>
        /// These, all behind them, and the Enters by which their lanes came by removed ones.
        let records: Set<Int>
    }

    /// Nil if the root is not void, or if its way has more records than one owner's lane could write. The bound is on
    /// each alone: whether something is void follows from its own way.
    private func way(of root: RecordHash) -> Way? {
        guard let top = set.number(of: root), below[top] != nil else { return nil }
        var way: Set<Int> = []
        var seen: Set<Int> = [top]
        var work = [top]
        while let rotate = work.popLast() {
            var next: Int? = rotate
            while let record = next, way.count <= set.bounds.ownerRecords, way.insert(record).inserted {
                next = set.links[record].parent
            }
            var lane = set.links[rotate].lane
            while let entrance = lane.flatMap({ fallen[$0] }), case .lane(let up) = entrance.by {
                way.insert(entrance.record)
                lane = up
            }
            guard way.count <= set.bounds.ownerRecords else { return nil }
            for tip in below[rotate] ?? [] where seen.insert(tip).inserted { work.append(tip) }
        }
        return Way(rotates: seen, records: way)
    }

    /// A way, and what its roots cover that is not gone: the maker knew it, and who shut the maker out may not, so that
    /// nobody would tell of it. Only what can shut somebody out, with the few records behind it that are not on the
    /// way. Which are looked at does not depend on which are known, nor whether one comes on which others do.
    private func wayAndCovered(_ way: Way, _ gone: Set<RecordHash>) -> Set<Int> {
        var all = way.records
        var named: Set<RecordHash> = []
        for record in way.rotates {
            if case .rotate(let rotate) = set.records[record].act { named.formUnion(rotate.covers) }
        }
        for hash in named.subtracting(gone).sorted().prefix(set.bounds.returnedCovers) {
            guard let record = set.number(of: hash), shutsOut(record) else { continue }
            var more: Set<Int> = []
            var next: Int? = record
            while let step = next, !way.records.contains(step), more.count < set.bounds.behindCover {
                more.insert(step)
                next = set.links[step].parent
            }
            if next.map(way.records.contains) ?? true { all.formUnion(more) }
        }
        return all
    }

    /// True for a Remove, and for a Word by which a lane of the owner dismisses somebody, whether or not it counts.
    private func shutsOut(_ record: Int) -> Bool {
        switch set.records[record].act {
        case .remove: true
        case .word(let word): word.role == .none && set.links[record].lane.map { set.lanes[$0].member } == set.owner
        default: false
        }
    }

    /// The roots that a device takes: those given back, once it holds everything that they and the void ones below them
    /// cover. Before that, the owner could build on one, and let in whom it had shut out.
    func returned(holding held: Set<RecordHash>) -> Set<RecordHash> {
        var ready: Set<Int> = []
        for record in rotates {
            guard case .rotate(let rotate) = set.records[record].act, rotate.covers.allSatisfy(held.contains),
                below[record]?.allSatisfy(ready.contains) ?? false
            else { continue }
            ready.insert(record)
        }
        return Set(ready.map { set.records[$0].hash })
    }

    var isEmpty: Bool { rotates.isEmpty }
}
