import Gossip
import LeaderboardShare
import Ledger
import NodeCore
package import NodeModel
import SyncState

/// All that a node knows of a group's data, and the verdict that follows from it, in the words that accounts have
/// (docs/SYNC.md, §1). Nobody knows whether every member has everything: what one may rely on is that the group's
/// records are here, and that the own results are with somebody else.
package struct GroupFacts {
    /// Nil if no node runs.
    var state: ZoneState?
    var writing = ZoneFacts.Writing.works
    /// The records are here by which this device stands in the group.
    var isIn = true
    /// Devices in reach, and those of them that hold the same as this one.
    var connected = 0
    var level = 0
    /// Some result of this member is with no other member, as far as is known.
    var hasUnheldResults = false

    package var verdict: NodeModel.Verdict {
        if let obstacle = ZoneFacts.obstacle(state, writing) { return obstacle }
        guard isIn else { return connected > 0 ? .syncing : .incomplete }
        guard state != nil else { return .offline }
        guard connected == level else { return .syncing }
        return hasUnheldResults ? .offline : .upToDate
    }
}

extension GroupFacts {
    package init(_ group: NodeGroup, of node: LocalNode) {
        let served = node.network?.served(group)
        state = node.network.map { $0.machine.state(of: group.placeID, now: node.clock.now()) }
        if let fault = group.fault { writing = fault.isOutOfRoom ? .isOutOfRoom : .fails }
        isIn = group.zone.membership.ownStanding == .active
        let peers = served?.sync.peers ?? []
        (connected, level) = (peers.count, peers.count { $0.isEqual })
        hasUnheldResults = !group.holders.haveAll(of: group.zone)
    }
}
