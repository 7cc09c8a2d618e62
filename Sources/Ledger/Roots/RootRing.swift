package import NodeCore

/// The roots of a zone that one device holds. A root that was taken stays, even if its Rotate counts no longer.
package struct RootRing: Sendable {
    package let first: ZoneRoot
    private var roots: [RecordHash: ZoneRoot]
    /// Entries of Seals from which nothing was taken: each is tried once.
    private var tried: Set<Entry> = []
    /// Those of them that hold no root, or not the one to which the Rotate commits.
    private var junk: Set<Entry> = []

    private struct Entry: Hashable {
        let seal: RecordHash
        let recipient: Bytes32
    }

    package init(first: ZoneRoot, later: [ZoneRoot] = []) {
        self.first = first
        roots = [first.rotate: first]
        for root in later { roots[root.rotate] = root }
    }

    package var held: Set<RecordHash> { Set(roots.keys) }

    package subscript(rotate: RecordHash) -> ZoneRoot? { roots[rotate] }

    /// Whether a root counts that is not held.
    package func lacksAny(in state: LedgerState) -> Bool { !held.isSuperset(of: state.roots.counting.keys) }

    /// The root under which this device writes.
    package func newest(in state: LedgerState) -> ZoneRoot {
        state.newestRoot(held: held).flatMap { roots[$0] } ?? first
    }

    /// All, the newest first: the higher the number, and of these the lowest hash.
    package func ordered(in state: LedgerState) -> [ZoneRoot] {
        let newest = newest(in: state).rotate
        let numbers = state.roots.sound.mapValues(\.number)
        return roots.values.sorted { left, right in
            if (left.rotate == newest) != (right.rotate == newest) { return left.rotate == newest }
            let (mine, other) = (numbers[left.rotate] ?? 0, numbers[right.rotate] ?? 0)
            return mine == other ? left.rotate < right.rotate : mine > other
        }
    }

    /// Adds a root that was made here, or had been stored.
    package mutating func add(_ root: ZoneRoot) { roots[root.rotate] = root }

    // MARK: Learning

    /// Takes the roots that the ledger has sealed to a recipient, and all below them. A root is taken only if a member
    /// gave it back, or if its Rotate counts and everything that it covers is known here as gone: otherwise this device
    /// could seal it to somebody who must not have it.
    ///
    /// - Returns: the roots taken.
    package mutating func learn(
        from state: LedgerState, as recipient: Bytes32, with pair: X25519.KeyPair
    ) -> [ZoneRoot] {
        var taken: [ZoneRoot] = []
        let returned = state.returned
        for (record, seal) in state.seals(to: recipient)
        where roots[seal.rotate] == nil && (state.roots.maySeal(seal.rotate) || returned.contains(seal.rotate)) {
            guard tried.insert(Entry(seal: record, recipient: recipient)).inserted else { continue }
            guard let secret = seal.open(for: recipient, with: pair),
                case .rotate(let rotate)? = state.set[seal.rotate]?.act, rotate.root == ZoneRoot.commitment(to: secret)
            else {
                junk.insert(Entry(seal: record, recipient: recipient))
                continue
            }
            guard let chain = chain(from: ZoneRoot(rotate: seal.rotate, secret: secret), in: state) else { continue }
            for root in chain { roots[root.rotate] = root }
            taken += chain
        }
        return taken
    }

    /// The lane's next Unopened: it names Seals that do not open to the lane, of roots that it lacks; nil if there are
    /// none, or if it has said so as often as it may. The holders of such a root seal it to the lane then. Other
    /// members' Seals mean nothing to a lane that is not the owner's, and would only use these records up.
    package func unopened(in state: LedgerState, by lane: LaneKey) -> LedgerAct? {
        let own = lane.lane.storage
        let seals = junk.lazy.filter { entry in
            guard entry.recipient == own, state.unopened[entry.seal]?.contains(own) != true, state.counts(entry.seal),
                lane.member == state.owner || state.author(of: entry.seal) == state.owner,
                case .seal(let seal)? = state.set[entry.seal]?.act
            else { return false }
            return roots[seal.rotate] == nil
        }.map(\.seal).sorted().prefix(Limits.unopenedSeals)
        guard !seals.isEmpty, let number = state.set.number(of: lane) else { return nil }
        let said = state.set.lanes[number].records.count { state.set.links[$0].kind == .unopened }
        return said < Limits.unopenedRecords ? .unopened(Array(seals)) : nil
    }

    /// A root, and those below it that are not held. Nil unless each fits the commitment of its Rotate: else others
    /// would be cut off from what was written under a root that nobody has.
    private func chain(from root: ZoneRoot, in state: LedgerState) -> [ZoneRoot]? {
        var chain: [ZoneRoot] = []
        var found: Set<RecordHash> = []
        var work = [root]
        while let next = work.popLast() {
            guard case .rotate(let rotate)? = state.set[next.rotate]?.act,
                rotate.root == next.commitment
            else { return nil }
            chain.append(next)
            found.insert(next.rotate)
            for tip in rotate.tips where roots[tip.rotate] == nil && !found.contains(tip.rotate) {
                guard let secret = tip.open(under: next.secret) else { return nil }
                work.append(ZoneRoot(rotate: tip.rotate, secret: secret))
            }
        }
        return chain
    }

    // MARK: Making a new one

    /// A new root on top of the held tips, and what announces it. The hash of the record that says so completes it.
    package func rotation(in state: LedgerState, random: inout any RandomSource) -> (secret: Secret, Rotate) {
        let tips = state.tips(held: held).prefix(Limits.rotateTips).compactMap { roots[$0] }
        let below = tips.compactMap { state.roots.sound[$0.rotate] }
        let covered = below.reduce(into: Set<RecordHash>()) { $0.formUnion($1.covered) }
        // Removals that no tip covers come first. If there are more than one record can name, another rotation is due
        // at once.
        let gone = state.covers
        let covers = (gone.filter { !covered.contains($0) } + gone.filter(covered.contains)).prefix(Limits.rotateCovers)
        let secret = ZoneRoot.draw(&random)
        let rotate = Rotate(
            number: 1 + (below.map(\.number).max() ?? 0), root: ZoneRoot.commitment(to: secret),
            covers: Array(covers), tips: tips.map { Rotate.Tip($0, under: secret) })
        return (secret, rotate)
    }
}

// MARK: - What is due

extension LedgerState {
    /// The work that a device does for the others without being asked.
    package struct Duties: Equatable, Sendable {
        /// Whether to make a new root, because somebody who must not know the newest does.
        package var rotates = false
        /// The recipients of each root that must be sealed.
        package var seals: [RecordHash: [Seal.Recipient]] = [:]

        package init(rotates: Bool = false, seals: [RecordHash: [Seal.Recipient]] = [:]) {
            (self.rotates, self.seals) = (rotates, seals)
        }

        package var isEmpty: Bool { !rotates && seals.isEmpty }
    }

    /// - Parameter resting: whether the newest root came a short time ago; a member's removal of its own lane then
    ///   waits.
    package func duties(of lane: LaneKey, holding ring: RootRing, resting: Bool = false) -> Duties {
        guard standing(of: lane) == .active, !lane.isReplica else { return Duties() }
        guard lane.member == owner else {
            return isClosed ? Duties() : Duties(seals: RootGifts(self, by: lane).due(holding: ring))
        }
        var duties = Duties(rotates: isRotationDue(held: ring.held, resting: resting))
        // A root that is about to be replaced is not handed out.
        if !duties.rotates { duties.seals = seals(by: lane, holding: ring) }
        return duties
    }

    /// The tips that a device seals to those who lack them.
    package func seals(
        by sealer: LaneKey, holding ring: RootRing, to isMeant: (Bytes32) -> Bool = { _ in true }
    ) -> [RecordHash: [Seal.Recipient]] {
        seals(of: tips(held: ring.held).filter(mayBeSealed), by: sealer, to: isMeant)
    }

    private func seals(
        of tips: [RecordHash], by sealer: LaneKey, to isMeant: (Bytes32) -> Bool
    ) -> [RecordHash: [Seal.Recipient]] {
        var seals: [RecordHash: [Seal.Recipient]] = [:]
        for tip in tips {
            let due = recipients(lacking: tip, by: sealer).filter { isMeant($0.id) }
            if !due.isEmpty { seals[tip] = due }
        }
        return seals
    }

    /// The recipients that a device should seal a tip to: standing lanes, and in an account its person.
    func recipients(lacking root: RecordHash, by sealer: LaneKey) -> [Seal.Recipient] {
        let served = served(root, by: sealer)
        var recipients = standingLanes.compactMap { lane -> Seal.Recipient? in
            guard lane != sealer, !lane.isReplica, !served.contains(lane.lane.storage) else { return nil }
            return sealKey(of: lane).map { Seal.Recipient(id: lane.lane.storage, key: $0) }
        }
        if case .genesis(.account(let identity, let key)) = set.records[0].act, !served.contains(identity.storage) {
            recipients.append(Seal.Recipient(id: identity.storage, key: key))
        }
        return recipients
    }

    /// The Seals that count and have an entry for a recipient, with their records.
    func seals(to recipient: Bytes32) -> [(record: RecordHash, seal: Seal)] {
        set.records.indices.compactMap { record in
            guard membership.isBounded[record], case .seal(let seal) = set.records[record].act,
                seal.entries.contains(where: { $0.recipient == recipient })
            else { return nil }
            return (set.records[record].hash, seal)
        }
    }

    /// The key that a lane named when it entered; nil for a lane that leads back to nobody.
    package func sealKey(of lane: LaneKey) -> Bytes32? {
        guard let number = set.number(of: lane), let reason = trust.reason(number),
            case .enter(let enter) = set.records[reason.record].act
        else { return nil }
        return enter.sealKey
    }

    /// How many more records of a lane count.
    package func room(of lane: LaneKey) -> Int {
        guard let number = set.number(of: lane) else { return 0 }
        let bounds = set.bounds
        let bound =
            set.isAccount ? bounds.accountRecords : lane.member == owner ? bounds.ownerRecords : bounds.memberRecords
        return bound - set.lanes[number].records.count
    }

    /// The record that a lane's next one follows: the deepest, of several the lowest hash. Nil before it entered.
    package func end(of lane: LaneKey) -> RecordHash? {
        guard let number = set.number(of: lane), let last = set.lanes[number].records.last else { return nil }
        let deepest = set.links[last].depth
        return set.lanes[number].records.first { set.links[$0].depth == deepest }.map { set.records[$0].hash }
    }
}
