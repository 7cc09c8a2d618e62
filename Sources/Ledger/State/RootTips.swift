import NodeCore

/// The roots of a zone: which Rotates count, and what they cover.
struct RootTips: Sendable {
    /// Rotates that build on sound ones, counting or not, by hash. The first root, genesis', is the zone's own hash,
    /// with number 0.
    let sound: [RecordHash: Step]
    /// Rotates that count: those a placed lane wrote within its bounds, and those they build on.
    private(set) var counting: [RecordHash: Step] = [:]
    /// Removes, Ends and dismissing Words that count: those whom they name must not learn newer roots.
    let gone: Set<RecordHash>
    /// The removals among these by which members of a group removed lanes of their own: they shut nobody else out.
    let minor: Set<RecordHash>

    struct Step: Sendable {
        let number: UInt64
        let tips: [RecordHash]
        /// The records that the Rotate claims to cover, whether or not they count.
        let covers: Set<RecordHash>
        /// The counting records that it covers with its tips.
        let covered: Set<RecordHash>
    }

    init(_ words: OwnerWords, gone: Set<RecordHash>, minor: Set<RecordHash>) {
        (self.gone, self.minor) = (gone, minor)
        let set = words.trust.set
        let first = RecordHash(set.zone.storage)
        var sound: [RecordHash: Step] = [first: Step(number: 0, tips: [], covers: [], covered: [])]
        var rotates: [(record: Int, rotate: Rotate)] = []
        for lane in set.members[set.owner].lanes {
            for record in set.lanes[lane].records {
                if case .rotate(let rotate) = set.records[record].act { rotates.append((record, rotate)) }
            }
        }
        rotates.sort {
            ($0.rotate.number, set.records[$0.record].hash) < ($1.rotate.number, set.records[$1.record].hash)
        }
        for (record, rotate) in rotates {
            let tips = rotate.tips.map(\.rotate)
            let below = tips.compactMap { sound[$0] }
            guard below.count == tips.count, let highest = below.map(\.number).max(), rotate.number == highest + 1
            else {
                continue
            }
            let covers = Set(rotate.covers)
            let covered = below.reduce(covers.intersection(gone)) { $0.union($1.covered) }
            sound[set.records[record].hash] = Step(number: rotate.number, tips: tips, covers: covers, covered: covered)
        }
        // The roots that a counting Rotate builds on count, whoever made them: others have written under them.
        var work = words[.rotate].map { set.records[$0].hash }
        self.sound = sound
        counting[first] = sound[first]
        while let next = work.popLast() {
            guard counting[next] == nil, let step = sound[next] else { continue }
            counting[next] = step
            work += step.tips
        }
    }

    /// The held roots that no held root builds on, ascending.
    func tips(held: Set<RecordHash>) -> [RecordHash] {
        let mine = sound.filter { held.contains($0.key) }
        let below = Set(mine.values.flatMap(\.tips))
        return mine.keys.filter { !below.contains($0) }.sorted()
    }

    /// These roots and all below them.
    func chains(from roots: some Sequence<RecordHash>) -> Set<RecordHash> {
        var (found, work): (Set<RecordHash>, [RecordHash]) = ([], Array(roots))
        while let next = work.popLast() {
            if found.insert(next).inserted { work += sound[next]?.tips ?? [] }
        }
        return found
    }

    /// The root under which a device writes: of those held that count the highest number, then the lowest hash.
    func newest(held: Set<RecordHash>) -> RecordHash? {
        counting.filter { held.contains($0.key) }
            .min { (-Int64($0.value.number), $0.key) < (-Int64($1.value.number), $1.key) }?.key
    }

    /// True if a device that holds these roots should make a new one: somebody who knows the newest is gone, or a root
    /// that was in use no longer counts and the new one carries it on.
    ///
    /// - Parameter resting: if true, `minor` is no reason.
    func isDue(held: Set<RecordHash>, resting: Bool) -> Bool {
        guard let newest = newest(held: held), let step = counting[newest] else { return false }
        return !(resting ? gone.subtracting(minor) : gone).isSubset(of: step.covered)
            || tips(held: held).contains { sound[$0]?.number != 0 && !maySeal($0) }
    }

    /// True if a root counts and all that it covers is known here as gone; otherwise it could be sealed to one of
    /// those.
    func maySeal(_ rotate: RecordHash) -> Bool { counting[rotate]?.covers.isSubset(of: gone) ?? false }
}
