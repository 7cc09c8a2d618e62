import Gossip
import LeaderboardShare
import Ledger
import NodeCore
package import NodeModel
import SyncState

/// All that a node knows of a group's data, and the verdict that follows from it, in the words that accounts have
/// (docs/SYNC.md, §1). Nobody knows whether every member has everything. What can be known is that the group's
/// records are here, and that somebody else holds this member's results.
package struct GroupFacts {
    /// Nil if no node runs.
    var state: ZoneState?
    var writing = ZoneFacts.Writing.works
    /// The records that admit this device to the group are here, and the group's own.
    package var isIn = true
    /// Devices in reach, and how many of them need not be waited for: they hold the same as this one, or differ and
    /// have come no nearer for a minute. So no member can keep the others waiting.
    package var connected = 0
    var level = 0
    /// Of those in reach, the devices of other members.
    package var others = 0
    /// A device in reach has shown records written under a root that counts and is missing here.
    var lacksRoot = false
    /// Whether some result of this member is not known to be held by another member; if there is none, by another
    /// device of its own.
    package var hasUnheldResults = false

    /// No other device of the group is in reach.
    package var isAlone: Bool { connected == 0 }

    /// All devices in reach hold the same, as far as they need be waited for.
    package var isCaughtUp: Bool { ZoneFacts.obstacle(state, writing) == nil && connected == level }

    package var verdict: NodeModel.Verdict {
        if let obstacle = ZoneFacts.obstacle(state, writing) { return obstacle }
        guard isIn else { return connected > 0 ? .syncing : .incomplete }
        guard state != nil else { return .offline }
        guard connected == level else { return .syncing }
        guard !lacksRoot else { return .incomplete }
        return hasUnheldResults ? .offline : .upToDate
    }
}

extension GroupFacts {
    package init(_ group: NodeGroup, of node: LocalNode) {
        let served = node.network?.served(group)
        state = node.network.map { $0.machine.state(of: group.placeID, now: node.clock.now()) }
        if let fault = group.fault { writing = fault.isOutOfRoom ? .isOutOfRoom : .fails }
        isIn = group.zone.isIn
        let peers = served?.sync.peers ?? []
        (connected, level) = (peers.count, peers.count { served?.isSettled($0) == true })
        let (zone, state) = (group.zone, group.zone.state)
        func isOther(_ lane: LaneID) -> Bool {
            !state.keys(of: lane, onlyEntered: true).contains { $0.member == zone.member }
        }
        others = peers.count { isOther($0.lane) }
        lacksRoot =
            group.zone.membership.ring.lacksAny(in: group.zone.state)
            && peers.contains { !$0.isEqual && served?.isWithholding($0.session) == true }
        let isAmongOwn = state.members.count <= 1
        let isHeld = peers.contains { $0.isEqual && (isAmongOwn || isOther($0.lane)) }
        hasUnheldResults = !isHeld && !group.holders.haveAll(of: zone)
    }
}
