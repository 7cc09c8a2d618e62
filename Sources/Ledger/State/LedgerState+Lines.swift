package import NodeCore

/// The lanes and records that a person's removal of a device names, and the lanes that have heard of it.
extension LedgerState {
    /// A device's lane with those before and after it by fresh starts, any number of steps, ascending.
    package func line(of key: LaneKey) -> [LaneKey] {
        guard let lane = set.number(of: key) else { return [key] }
        var line: Set<Int> = [lane]
        var work = [lane]
        while let next = work.popLast() {
            let before = set.lanes[next].enters.compactMap(\.succeeds)
            for other in before + set.lanes[next].successors where line.insert(other).inserted { work.append(other) }
        }
        return line.map { set.lanes[$0].key }.sorted()
    }

    /// The ends of a lane's trees among the records that pass `isMeant`: a removal names them as heads, so that all of
    /// these records stay.
    package func ends(
        of key: LaneKey, where isMeant: (RecordHash) throws -> Bool = { _ in true }
    ) rethrows -> [RecordHash] {
        guard let lane = set.number(of: key) else { return [] }
        let meant = try set.lanes[lane].records.filter { try isMeant(set.records[$0].hash) }
        let parents = Set(meant.compactMap { set.links[$0].parent })
        return meant.filter { !parents.contains($0) }.map { set.records[$0].hash }.sorted()
    }

    /// The Enters of lanes outside this line that a lane of the line let in.
    package func children(of line: [LaneKey]) -> [RecordHash] {
        let up = Set(line.compactMap { set.number(of: $0) })
        var children: [RecordHash] = []
        for lane in set.lanes.indices where !up.contains(lane) {
            for entrance in set.lanes[lane].enters {
                if case .lane(let endorser) = entrance.by, up.contains(endorser) {
                    children.append(set.records[entrance.record].hash)
                }
            }
        }
        return children.sorted()
    }

    /// The one that let a lane in.
    package enum Endorser: Hashable, Sendable {
        /// The person, by the words.
        case person
        /// Nobody: it came by a ticket, or is the founder's first.
        case first
        case lane(LaneID)

        package var lane: LaneID? { if case .lane(let lane) = self { lane } else { nil } }
    }

    /// Nil for a lane that leads back to nobody, and for one that was removed.
    package func endorser(of key: LaneKey) -> Endorser? {
        set.number(of: key).flatMap { trust.reason($0) }.map { $0.endorser(in: set) }
    }

    /// The Enter by which a lane came in; nil where `endorser` is.
    package func entrance(of key: LaneKey) -> RecordHash? {
        set.number(of: key).flatMap { trust.reason($0) }.map { set.records[$0.record].hash }
    }

    /// The lanes of a member that have a place, ascending.
    package func lanes(of member: MemberID) -> [LaneKey] {
        guard let number = set.number(known: member) else { return [] }
        return set.members[number].lanes.filter(membership.places.contains).map { set.lanes[$0].key }.sorted()
    }

    /// For whom a lane was entered or removed, ascending: one lane may be entered for several members.
    ///
    /// - Parameter onlyEntered: leaves out Removes. Anybody can name any lane in its own.
    package func keys(of lane: LaneID, onlyEntered: Bool = false) -> [LaneKey] {
        self.set.lanes.indices.filter { number in
            self.set.lanes[number].key.lane == lane
                && (!self.set.lanes[number].enters.isEmpty || !onlyEntered && trust.removals[number] != nil)
        }.map { self.set.lanes[$0].key }.sorted()
    }

    /// How a lane came in, even if it leads back to nobody any more: of several ways the one that counts, otherwise the
    /// one with the lowest hash. Nil if no Enter of the lane is held.
    package func wayIn(of key: LaneKey) -> (by: Endorser, enter: RecordHash)? {
        guard let lane = set.number(of: key), let entrance = trust.reason(lane) ?? set.lanes[lane].enters.first else {
            return nil
        }
        return (entrance.endorser(in: set), set.records[entrance.record].hash)
    }

    /// All lanes with an Enter here, ascending.
    package var enteredLanes: [LaneKey] {
        self.set.lanes.filter { !$0.enters.isEmpty }.map(\.key).sorted()
    }

    /// The lanes that each counting Remove names, by its hash.
    package var removals: [RecordHash: [LaneID]] {
        var removals: [RecordHash: [LaneID]] = [:]
        for number in trust.removes {
            guard case .remove(let remove) = set.records[number].act else { continue }
            removals[set.records[number].hash] = remove.lanes
        }
        return removals
    }

    /// The records that a root's Rotate and all below it cover: every holder of the root has heard of these.
    package func covered(by root: RecordHash) -> Set<RecordHash> { roots.sound[root]?.covered ?? [] }
}

extension LedgerSet.Entrance {
    fileprivate func endorser(in set: LedgerSet) -> LedgerState.Endorser {
        switch by {
        case .person: .person
        case .first: .first
        case .lane(let up): .lane(set.lanes[up].key.lane)
        }
    }
}
