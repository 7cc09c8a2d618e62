import NodeCore
import SyncState

/// Processing new control records: opening roots, and doing this device's duties in the group.
extension GroupZone {
    /// New records have not been processed yet.
    var mustSettle: Bool { isUnsettled || mustReread || mustUnlock }

    func settle() throws {
        guard mustSettle else { return }
        if mustReread {
            mustReread = false
            try reread(isWhole: true)
        }
        repeat {
            if mustUnlock { try reread() }
            isUnsettled = false
            try checkRoots()
        } while try openRoots()
        defer { noteAccess() }
        useNewestRoot()
        knownOwnerships = state.ownershipRecords.count
        hasOwned = state.ownershipRecords.contains { $0.holder == member }
        guard state.genesis != nil, !state.removed.contains(member) else { return }
        defer { isUnsettled = false }
        // Members who joined last must also be able to read that the group has ended.
        if state.isClosed { return try sealMissingRoots() }
        try rewriteFromVoidEpochs()
        try certifyLane()
        try mergeTakings()
        if state.owner == member, state.isRootDue, ring.current.record == state.rootRecord?.hash,
            state.rootNumber(ring.current.record) < Limits.ownersNumber
        {
            try rotate()
        }
        try sealMissingRoots()
        try carryOutHandover()
        // Records written in this function are already processed.
    }

    /// Opens roots sealed for this member, and those carried by rotations. True if one was opened: there may then be
    /// more to read, and more to open.
    private func openRoots() throws -> Bool {
        var hasOpened = false
        // Only valid rotations: anybody in the group can write others, more than a node could hold.
        for (record, _, sealed) in state.seals(to: member) where ring.epoch(of: record) == nil && state.isValid(record)
        {
            guard ring.epochs.count < Limits.roots, let control = contents.controls[record],
                let root = RootSeal.open(sealed, record: record, key: memberKey, group: zone),
                control.rootCommitment == Genesis.commitment(to: root)
            else { continue }
            if try hold(GroupEpoch(record: record, root: root)) { hasOpened = true }
        }
        // A holder of a root trusts its starter about the previous one, whose own record may be sealed under that root.
        for control in contents.controls.values.sorted(by: { $0.hash < $1.hash }) {
            guard case .rotate(let rotation) = control.act, ring.epoch(of: rotation.previous) == nil,
                ring.epochs.count < Limits.roots, let next = ring.epoch(of: control.hash)?.root,
                let root = RootSeal.open(previous: rotation.sealedPrevious, record: rotation.previous, under: next)
            else { continue }
            if let known = contents.controls[rotation.previous], known.rootCommitment != Genesis.commitment(to: root) {
                continue
            }
            if try hold(GroupEpoch(record: rotation.previous, root: root)) { hasOpened = true }
        }
        return hasOpened
    }

    /// Roots come unverified from the member who admitted this one, or from another device of its account: one that
    /// does not match the record that started its epoch is dropped, so that the right one can replace it.
    private func checkRoots() throws {
        var hasWrong = false
        for epoch in ring.epochs.dropFirst() where !ring.isChecked(epoch) {
            guard let commitment = contents.controls[epoch.record]?.rootCommitment else { continue }
            if commitment == Genesis.commitment(to: epoch.root) {
                ring.confirm(epoch)
            } else {
                ring.drop(epoch)
                hasWrong = true
            }
        }
        if hasWrong { try storeRoots() }
    }

    /// Certifies this device's lane for the member, unless that is done.
    func certifyLane() throws {
        let devices = state.devices(of: member)
        guard !devices.contains(lane) else { return }
        let index = UInt8(devices.count % Int(Limits.deviceIndices))
        try write(.certificate(device: lane, index: index), under: .zero)
    }

    /// True if all removals that the newest root takes into account are known here. Until then a removed person may
    /// look like a member, who must not get the root. A removal may arrive later than its rotation, because of its lane
    /// or its list of names.
    var knowsRemovals: Bool {
        guard let root = state.rootRecord else { return false }
        return root.act.names.sorted.allSatisfy { state.isValid($0) }
    }

    /// Gives the current root to members who lack it: the owner to all, anybody else to those it admitted. The owner
    /// also gives out roots of concurrent epochs, to which no rotation leads.
    private func sealMissingRoots() throws {
        guard knowsRemovals, let root = state.rootRecord, case .rotate(let rotation) = root.act,
            let epoch = ring.epoch(of: root.hash), let earlier = ring.epoch(of: rotation.previous)
        else { return }
        let tips = uncontinuedEpochs.filter { $0.record != epoch.record }
        try sealMissing(epoch, in: [earlier] + tips)
        guard state.owner == member else { return }
        for tip in tips { try sealMissing(tip, in: [epoch]) }
    }

    private func sealMissing(_ epoch: GroupEpoch, in bases: [GroupEpoch]) throws {
        let sealed = handed(epoch)
        let admitted = Set(
            state.validRecords(.admission).filter { $0.by == member }.compactMap(\.act.subject))
        let lacking = state.sealRecipients.filter { receiver in
            !sealed.contains(receiver) && (state.owner == member || admitted.contains(receiver))
        }
        guard !lacking.isEmpty else { return }
        let detours = detours(beside: bases, to: lacking)
        try show(epoch, in: bases + distinct(detours))
        for receiver in lacking { try seal(epoch, to: receiver, in: bases + detours[receiver, default: []]) }
    }

    /// The members to whom an epoch's root was given.
    private func handed(_ epoch: GroupEpoch) -> Set<MemberID> {
        var members: Set<MemberID> = [member]
        if let starter = contents.controls[epoch.record]?.by { members.insert(starter) }
        // Nobody but the receiver can tell whether a seal holds the root: those of others may be junk.
        for control in contents.controls.values where control.by == member || control.by == state.owner {
            if case .seal(epoch.record, let to, _) = control.act { members.insert(to) }
        }
        return members
    }

    /// A member admitted concurrently with the rotation that started the first of `bases` has neither its root nor
    /// anything written under it: it finds the next root under the epochs of its admission. All of these are used:
    /// another member may have copied the admission under a base.
    func detours(beside bases: [GroupEpoch], to receivers: [MemberID]) -> [MemberID: [GroupEpoch]] {
        let handed = handed(bases[0])
        var numbers: [MemberID: Set<UInt64>] = [:]
        for admission in state.validRecords(.admission) {
            guard let subject = admission.act.subject, !handed.contains(subject) else { continue }
            numbers[subject, default: []].formUnion(contents.admissionEpochs[admission.hash] ?? [])
        }
        let known = Set(bases.map(\.number))
        var detours: [MemberID: [GroupEpoch]] = [:]
        for receiver in receivers {
            let beside = (numbers[receiver] ?? []).subtracting(known)
            if !beside.isEmpty { detours[receiver] = ring.epochs.filter { beside.contains($0.number) } }
        }
        return detours
    }

    /// All these epochs, in the order of the ring.
    func distinct(_ detours: [MemberID: [GroupEpoch]]) -> [GroupEpoch] {
        let numbers = Set(detours.values.flatMap(\.self).map(\.number))
        return ring.epochs.filter { numbers.contains($0.number) }
    }

    /// Writes the record that started an epoch under these, unless it is there: a member without its root and the
    /// previous one could not verify the root it is given.
    private func show(_ epoch: GroupEpoch, in bases: [GroupEpoch]) throws {
        guard let control = contents.controls[epoch.record] else { return }
        let current = ring.current
        defer { ring.use(current) }
        for base in bases where contents.rotationBases[epoch.record]?.contains(base.number) != true {
            ring.use(base)
            try put(control)
        }
    }

    /// Writes the seal under epochs whose keys the receiver has; under others it could not read the record.
    func seal(_ epoch: GroupEpoch, to receiver: MemberID, in bases: [GroupEpoch]) throws {
        guard let sealed = RootSeal.seal(epoch, to: receiver, group: zone, random: &random) else { return }
        try write(.seal(root: epoch.record, to: receiver, sealed: sealed), under: .zero, in: bases)
    }
}

extension ControlRecord {
    /// The commitment to the root of the epoch that this record starts.
    var rootCommitment: Bytes32? {
        switch act {
        case .genesis(let genesis): genesis.rootCommitment
        case .rotate(let rotation): rotation.commitment
        default: nil
        }
    }
}
