package import Gossip
package import LeaderboardShare
import NodeCore

/// What this node pairs for, and what came of it.
package final class NodePairing {
    package enum Goal {
        case giveAccount(NodeAccount)
        /// The account gets this label here, or one that is free.
        case takeAccount(label: String?)
        case giveGroup(NodeGroup, Role)
        case takeGroup(NodeAccount)

        package var role: PairingRole {
            switch self {
            case .giveAccount, .giveGroup: .gives
            case .takeAccount, .takeGroup: .takes
            }
        }

        package var subject: PairingSubject {
            switch self {
            case .giveAccount, .takeAccount: .account
            case .giveGroup, .takeGroup: .group
            }
        }
    }

    package let goal: Goal
    /// Why what was to be given, or came, could not be had or kept.
    package var failure: NodeError?
    /// What came.
    package var account: NodeAccount?
    package var token: GroupToken?

    init(_ goal: Goal) { self.goal = goal }
}
