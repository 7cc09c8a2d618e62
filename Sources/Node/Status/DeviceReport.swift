import Chat
package import Gossip
import Ledger
package import NodeCore
import NodeModel
package import SyncState

/// A device of an account, as far as this node knows it.
package struct DeviceReport {
    package let lane: LaneID
    /// Nil if its own description is not here.
    package let name: String?
    package let isThis: Bool
    package let isConnected: Bool
    /// True if it is connected and holds everything that this node holds.
    package let isLevel: Bool
    /// True if it is connected and lacks something that is missing here, too.
    let isLacking: Bool
    /// True if it is connected and holds the same as this node, which may lack something.
    var holdsSame = false
    /// True if it is connected and differs, and for a minute nothing has brought it nearer.
    var isStalled = false
    /// True if it announces records that it does not give, or that cannot be taken here.
    var isWithholding = false
    /// The time of the last session with it.
    package let seen: WallTime?
    /// The time up to which it is known to hold everything that this node held.
    package let holdsUpTo: WallTime?
    /// Its content that is still missing here.
    package let wanted: BlobSum

    /// Its name, or the beginning of its id.
    package var shownName: String { name ?? "device \(lane.shortHex)" }

    /// How much of the content known here it holds at least, in percent of the bytes; nil if that is unknown. No other
    /// device holds what is queued.
    fileprivate func holdsPercent(of zone: AccountZone) throws -> Int? {
        let (store, content) = (zone.store, zone.store.total)
        if isThis, content.wanted.blobs > 0 {
            return min(99, content.held.bytes * 100 / max(1, content.held.bytes + content.wanted.bytes))
        }
        if isThis || isLevel { return 100 }
        let archived = try holdsUpTo.flatMap { try store.percentHeld(by: lane, at: $0) }
        return archived.map { zone.hasQueued ? min(99, $0) : $0 }
    }
}

extension DeviceStatus {
    init(_ report: DeviceReport, in zone: AccountZone) throws {
        self.init()
        holdsPercent = try report.holdsPercent(of: zone)
        deviceId = report.lane.hex
        name = report.name
        thisDevice = report.isThis
        connected = report.isConnected
        level = report.isLevel
        seenAt = report.seen.map { Int($0.milliseconds) }
        holdsUpTo = report.holdsUpTo.map { Int($0.milliseconds) }
        wantedBlobs = report.wanted.blobs
        wantedMessages = report.wanted.messages
        wantedBytes = report.wanted.bytes
    }
}

extension NodeAccount {
    /// The account's active devices: this one first, then the connected ones, then the others. Only this one once it
    /// was removed, since it hears nothing of the others.
    package func devices(_ served: ServedZone?, clock: any Clock) throws -> [DeviceReport] {
        let (now, wall) = (clock.now(), clock.wall())
        let peers = served?.sync.peers ?? []
        // Also devices never met: one that was let in may hold a copy without this node knowing.
        let lanes =
            zone.membership.isOver
            ? [] : zone.membership.state.standingLanes.map(\.lane).filter(zone.devices.isPresent)
        // A forgotten device that is still connected counts again once it writes.
        let reached = peers.map(\.lane).filter { !zone.devices.forgotten.contains($0) }
        let all = Set(lanes).union(reached).union([zone.lane]).sorted()
        let reports = try all.map { lane in
            let peer = peers.first { $0.lane == lane }
            let note = try served.map { try $0.peerNote(lane) } ?? zone.store.peerNote(lane)
            let isThis = lane == zone.lane
            let isLevel = peer.map { served?.isLevel($0, now: now) == true } ?? isThis
            let isLacking = peer.map { served?.sync.isLacking($0.session, now: now) == true } ?? false
            let isStalled = peer.map { !$0.isEqual && served?.isStalled($0.lane) == true } ?? false
            let isWithholding = peer.map { isStalled && served?.isWithholding($0.session) == true } ?? false
            return DeviceReport(
                lane: lane, name: try zone.devices.description(of: lane)?.name, isThis: isThis,
                isConnected: peer != nil, isLevel: isLevel, isLacking: isLacking,
                holdsSame: peer.map { served?.holdsSame($0) == true } ?? isThis, isStalled: isStalled,
                isWithholding: isWithholding, seen: peer == nil ? note?.seen : wall,
                // A time in the future came from a wrong clock, and is ignored.
                holdsUpTo: isLevel ? wall : note?.level.flatMap { $0 <= wall ? $0 : nil },
                wanted: zone.store.content(of: lane).wanted)
        }
        func rank(_ device: DeviceReport) -> Int { device.isThis ? 0 : device.isConnected ? 1 : 2 }
        return reports.sorted { (rank($0), $0.lane) < (rank($1), $1.lane) }
    }
}
