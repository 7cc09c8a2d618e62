import NodeCore
import SyncState

/// Merges the acts of an owner's devices that were apart: nobody loses membership unless somebody removed them, and all
/// members end up under one root.
extension GroupZone {
    /// Adds to takings from elsewhere the names that this device considered valid until they arrived. Call it before
    /// the current state becomes the one that later takings are compared with.
    func mergeTakings() throws {
        defer { settledState = state }
        guard let before = settledState, before.owner != nil, state.owner == member, !state.isClosed,
            let authority = state.authority(of: member)
        else { return }
        // Done first, since it can restore takings.
        for ownership in state.earlierOwnerships {
            let lost =
                before.validRecords(under: ownership).sorted.filter { !state.isValid($0) }
                + lostGames(of: ownership, since: before)
            guard !lost.isEmpty else { continue }
            try write(.keep(ownership: ownership, staying: NameSet(lost.prefix(Limits.names))), under: authority)
        }
        for taking in state.validRecords(.remove, .demote, .revoke) where !before.isValid(taking.hash) {
            try widen(taking, by: before, under: authority)
        }
    }

    /// The games entered by the previous holder of an ownership that counted before it ended and no longer do.
    private func lostGames(of ownership: RecordHash, since before: GroupState) -> [RecordHash] {
        guard before.ownership == ownership, let holder = before.owner, !state.removed.contains(holder) else {
            return []
        }
        let counting = Set(acceptedGames(of: holder, state))
        return acceptedGames(of: holder, before).filter { !counting.contains($0) }
    }

    /// Writes a taking again with more names, if there are any.
    private func widen(_ taking: ControlRecord, by before: GroupState, under authority: RecordHash) throws {
        switch taking.act {
        case .remove(let subject, let names):
            let staying = state.namesStaying(ofRemoved: subject) ?? names
            if let more = Self.union(names, try seen(by: subject, in: before), beyond: staying) {
                try write(.remove(subject, staying: more), under: authority)
            }
        case .demote(let subject, let role, let names):
            if let more = Self.union(names, try seen(by: subject, in: before), beyond: names) {
                try write(.demote(subject, to: role, staying: more), under: authority)
            }
        case .revoke(let invitation, let names):
            let staying = state.namesStaying(ofRevoked: invitation) ?? names
            if let more = Self.union(names, before.validRecords(under: invitation), beyond: staying) {
                try write(.revoke(invitation: invitation, staying: more), under: authority)
            }
        default: break
        }
    }

    /// Nil if the seen ones already stay.
    private static func union(_ names: NameSet, _ seen: NameSet, beyond staying: NameSet) -> NameSet? {
        let more = seen.sorted.filter { !staying.contains($0) }
        guard !more.isEmpty else { return nil }
        return NameSet(more.prefix(Limits.names) + names.sorted.prefix(max(0, Limits.names - more.count)))
    }

    // MARK: Epochs that began at the same time

    /// The epochs under which a rotation and its seals are written: the previous one, and concurrent ones under which
    /// no rotation was written yet. So a device with any of them finds the new one.
    var basesOfRotation: [GroupEpoch] {
        let current = ring.current
        let covered = Set(contents.rotationBases.values.flatMap(\.self))
        return [current]
            + uncontinuedEpochs.filter { $0.record != current.record && !covered.contains($0.number) }
    }

    /// The held epochs, including the current one, that no valid rotation names as its predecessor.
    var uncontinuedEpochs: [GroupEpoch] {
        var continued: Set<RecordHash> = []
        for control in state.validRecords(.rotate) {
            if case .rotate(let rotation) = control.act { continued.insert(rotation.previous) }
        }
        return ring.epochs.filter { state.roots.contains($0.record) && !continued.contains($0.record) }
    }

    /// Signs a control record once, and writes it under each of these epochs.
    @discardableResult
    func write(_ act: ControlAct, under giving: RecordHash, in epochs: [GroupEpoch]) throws -> ControlRecord {
        let current = ring.current
        defer { ring.use(current) }
        ring.use(epochs[0])
        let record = try write(act, under: giving)
        for epoch in epochs.dropFirst() {
            ring.use(epoch)
            try put(record)
        }
        return record
    }
}
