import NodeCore

/// Roots that members of a group give back: an owner's device made one and sealed it to them, they wrote under it, and
/// the device was removed before the owner's other devices had the root. Its Rotate no longer counts until a counting
/// one builds on it. Without the root, the owner and all who come later could not read what was written under it.
struct RootReturns: Sendable {
    private let set: LedgerSet
    /// The Rotates of the owner's removed lanes that do not count, by record, each with those of them on which it
    /// builds; whatever else it builds on must count. One that builds on anything else is not stored together with
    /// that, and would be void only to those who have that from earlier.
    private var below: [Int: [Int]] = [:]
    /// The Rotates of what was given back and of all void ones below, ascending by number.
    private var rotates: [Int] = []
    /// These and all behind them, by number: stored although they do not count.
    private(set) var records: Set<Int> = []

    init(_ membership: Membership, _ words: OwnerWords, _ roots: RootTips) {
        let trust = words.trust
        set = trust.set
        guard !set.isAccount, roots.counting.count < roots.sound.count else { return }
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
        for root in given {
            guard let way = way(of: root) else { continue }
            records.formUnion(way)
        }
        let ways = records
        rotates = below.keys.filter(ways.contains).map { (number: number($0, roots), record: $0) }.sorted {
            $0 < $1
        }.map(\.record)
    }

    private mutating func findVoid(_ roots: RootTips, _ trust: LaneTrust) {
        var work: [(number: UInt64, record: Int, tips: [RecordHash])] = []
        for (hash, step) in roots.sound where roots.counting[hash] == nil {
            guard let record = set.number(of: hash), let lane = set.links[record].lane, trust.removals[lane] != nil
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

    /// True for a root made by an owner's device that was later removed, if no root that counts builds on it.
    func isVoid(_ root: RecordHash) -> Bool { way(of: root) != nil }

    /// The Rotate of a void root, those of the void ones below it, and all behind these; nil if the root is not void,
    /// or if these are more records than one owner's lane could write. The bound is on each alone: whether something is
    /// void follows from its own way.
    private func way(of root: RecordHash) -> Set<Int>? {
        guard let top = set.number(of: root), below[top] != nil else { return nil }
        var way: Set<Int> = []
        var seen: Set<Int> = [top]
        var work = [top]
        while let rotate = work.popLast() {
            var next: Int? = rotate
            while let record = next, way.insert(record).inserted {
                guard way.count <= set.bounds.ownerRecords else { return nil }
                next = set.links[record].parent
            }
            for tip in below[rotate] ?? [] where seen.insert(tip).inserted { work.append(tip) }
        }
        return way
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
