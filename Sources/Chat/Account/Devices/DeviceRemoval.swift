import Ledger
package import NodeCore
import SyncState

/// Shuts devices out of the account, and knows who has heard of it.
package struct DeviceRemoval {
    private let context: AccountContext
    private let membership: ZoneMembership
    private let lists: ListsPart
    private let devices: DevicesPart
    private let judge: RowJudge

    init(
        _ context: AccountContext, _ membership: ZoneMembership, _ lists: ListsPart, _ devices: DevicesPart,
        _ judge: RowJudge
    ) {
        (self.context, self.membership, self.lists, self.devices, self.judge) =
            (context, membership, lists, devices, judge)
    }

    private var store: ZoneStore { context.store }

    /// The records that stopped counting with a removal.
    package struct Undone: Hashable, Sendable {
        /// Messages that the device archived, and that do not count any more.
        package var messages = 0
        /// Deletions, names, read marks and other changes that it made.
        package var changes = 0
    }

    /// Removes a device, with all lanes that it had by fresh starts: it opens no more sessions, reads nothing later,
    /// and nothing that it writes from now on counts. Its records that had come here stay, and so do the devices that
    /// it let in. Durable with the next commit, together with a new root that the device is not given.
    ///
    /// A device that was removed before is removed once more if its records wait here for lists that never came,
    /// because the device that removed it was removed, too.
    ///
    /// - Parameter since: when its owner lost control of it, by this device's clock: everything that came here from
    ///   then on is undone, as far as what it replaced is still aside. Nil for now.
    /// - Throws: `DeviceError`, `AccountError`; nothing is changed then.
    @discardableResult
    package func remove(_ lane: LaneID, since: WallTime? = nil, by signer: AccountSigner) throws -> Undone {
        guard signer.keys.zone == store.zone else { throw AccountError.otherAccount }
        let line = membership.state.line(of: membership.key(of: lane))
        switch membership.laneStanding(of: lane) {
        case .unknown: throw DeviceError.unknownDevice
        case .removed:
            let waits = try line.contains { try store.holdsWaiting(of: $0.lane) }
            if !waits { throw AccountError.alreadyRemoved }
        case .active, .succeeded, .lapsed, .left, .displaced: break
        }
        guard !line.contains(membership.key(of: store.device.lane)) else { throw DeviceError.thisDevice }
        guard membership.ownStanding == .active else { throw AccountError.notAmongDevices }
        if let since { try check(since, line.map(\.lane)) }
        try store.begin()
        let lanes = line.map(\.lane)
        let (early, changes) = try rows(of: lanes, before: since)
        let stays = RowList.blobs(naming: early)
        let removal = try removal(of: line, since: since, stays: stays.map(BlobHash.init(of:)), by: signer)
        let before = messages(in: lanes)
        for list in stays { try lists.write(RowList(rows: nil), list) }
        for record in removal { try membership.records.take(own: record) }
        // The removed device must not be able to read later records.
        try membership.rotate()
        try devices.describeAgain()
        try judge.settle()
        return Undone(messages: max(0, before - messages(in: lanes)), changes: changes)
    }

    /// The person's removal of these lanes. Their control records that had come here stay, and so do the devices that
    /// they let in by these.
    ///
    /// - Throws: `AccountError` if it would not count.
    private func removal(
        of line: [LaneKey], since: WallTime?, stays: [BlobHash], by signer: AccountSigner
    ) throws -> [LedgerRecord] {
        // The new root needs room.
        if membership.state.room(of: membership.own) < 1 { try store.startAfresh(.full) }
        let (state, records) = (membership.state, membership.records)
        let isEarly: (RecordHash) throws -> Bool = { record in
            guard let since, let at = try records.arrived(record) else { return true }
            return at < since
        }
        let names =
            try line.flatMap { try state.ends(of: $0, where: isEarly) }.map(Remove.Name.head)
            + stays.map(Remove.Name.stay)
            + state.children(of: line).filter(isEarly).map(Remove.Name.child)
        let removal = Remove.several(of: line, naming: names).map(signer.record)
        let after = records.state(with: removal)
        // Beyond the bound one Remove stops counting, this one or an earlier one, and its device would stand again.
        guard removal.map(\.hash).allSatisfy(after.removals.keys.contains),
            state.removals.keys.allSatisfy(after.removals.keys.contains)
        else { throw AccountError.tooManyRemovals }
        guard after.standing(of: membership.own) == .active else { throw AccountError.notAmongDevices }
        return removal
    }

    private func check(_ since: WallTime, _ lanes: [LaneID]) throws(DeviceError) {
        guard since <= store.wall else { throw .inTheFuture }
        // After a fresh start, recorded arrival times may stem from a backup and be too early.
        if let here = membership.enteredAt(store.device.lane), since < here { throw .onlyHereSince(here) }
        if let entered = lanes.compactMap(membership.enteredAt).min(), since < entered { throw .enteredAt(entered) }
    }

    /// The rows that had come before a time, and how many changes came later that still count.
    private func rows(of lanes: [LaneID], before since: WallTime?) throws -> (early: [RecordHash], changes: Int) {
        var early: [RecordHash] = []
        var late: [[UInt8]] = []
        for lane in lanes {
            try RowArrivals(store).forEach(of: lane) { encoded, at, isHeld in
                if let since, at >= since {
                    if isHeld { late.append(encoded) }
                } else {
                    early.append(Record.hash(of: encoded))
                }
            }
        }
        return (early, late.count { (try? Record(encoded: $0)).map(isChange) ?? false })
    }

    /// Whether a record states an act of its user: not a message, nor what the device says by itself.
    private func isChange(_ record: Record) -> Bool {
        guard record.kind == .register, let content = try? context.open(record) else { return false }
        return !(content is DeviceDescription || content is AccountState)
    }

    private func messages(in lanes: [LaneID]) -> Int {
        lanes.reduce(0) { sum, lane in
            let content = store.content(of: lane)
            return sum + content.held.messages + content.wanted.messages
        }
    }

    /// The lanes whose removal a device has heard of, by its description, which it writes again under each root.
    package func heard(by lane: LaneID) throws -> Set<LaneID> {
        let state = membership.state
        var heard: Set<RecordHash> = []
        if lane == store.device.lane {
            heard = Set(state.removals.keys)
        } else if let root = try devices.root(of: lane) {
            heard = state.covered(by: root.rotate)
        }
        return Set(state.removals.filter { heard.contains($0.key) }.flatMap(\.value))
    }

    /// The removed lanes whose records have waited here for at least this long.
    package func waiting(for time: Duration = .zero) throws -> [LaneID] {
        try Set(membership.state.removals.values.joined()).sorted().filter { try store.holdsWaiting(of: $0, for: time) }
    }

    /// The devices that stand and have not heard yet of all removals, except this one.
    package func unheard() throws -> [LaneID] {
        let removals = Set(membership.state.removals.values.joined())
        return try membership.state.standingLanes.map(\.lane).filter {
            try $0 != store.device.lane && devices.isPresent($0) && !removals.subtracting(heard(by: $0)).isEmpty
        }
    }
}
