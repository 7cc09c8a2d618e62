import Ledger
package import NodeCore
import SyncState

/// Shuts devices out of the account, and knows who has heard of it.
package struct DeviceRemoval {
    private let store: ZoneStore
    private let membership: AccountLedger
    private let lists: ListsPart
    private let devices: DevicesPart

    init(_ context: AccountContext, _ membership: AccountLedger, _ lists: ListsPart, _ devices: DevicesPart) {
        store = context.store
        (self.membership, self.lists, self.devices) = (membership, lists, devices)
    }

    /// Removes a device, with all lanes that it had by fresh starts: it opens no session any more, reads nothing of
    /// later, and nothing counts that it writes from now on. What it wrote, as far as it is here, stays, and so do the
    /// devices that it let in. Durable, with a new root that it is not given, with the next commit.
    ///
    /// - Throws: `DeviceError`, `AccountError`; nothing is changed then.
    package func remove(_ lane: LaneID, by signer: AccountSigner) throws {
        guard signer.keys.zone == store.zone else { throw AccountError.otherAccount }
        switch membership.laneStanding(of: lane) {
        case .unknown: throw DeviceError.unknownDevice
        case .removed: throw AccountError.alreadyRemoved
        case .active, .succeeded, .lapsed, .left, .displaced: break
        }
        let line = membership.state.line(of: membership.key(of: lane))
        guard !line.contains(membership.key(of: store.device.lane)) else { throw DeviceError.thisDevice }
        guard membership.ownStanding == .active else { throw AccountError.notAmongDevices }
        try store.begin()
        var rows: [RecordHash] = []
        for number in line.compactMap({ store.numbers[$0.lane] }) {
            try store.forEachRow(lane: number, from: 0, through: SyncState.Limits.highestSeq) { _, encoded in
                rows.append(Record.hash(of: encoded))
            }
        }
        let stays = RowList.blobs(naming: rows)
        let removal = try membership.removal(of: line, stays: stays.map(BlobHash.init(of:)), by: signer)
        for list in stays { try lists.write(RowList(rows: nil), list) }
        try membership.take(removal)
        try devices.describeAgain()
    }

    /// The lanes whose removal a device has heard of: as its description shows, which it writes anew under each root.
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

    /// The devices that stand and have not heard yet of all removals, this one excepted.
    package func unheard() throws -> [LaneID] {
        let removals = Set(membership.state.removals.values.joined())
        return try membership.state.standingLanes.map(\.lane).filter {
            try $0 != store.device.lane && !removals.subtracting(heard(by: $0)).isEmpty
        }
    }
}
