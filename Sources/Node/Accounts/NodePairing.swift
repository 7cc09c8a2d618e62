package import Gossip
package import LeaderboardShare
import NodeCore

/// The goal of this node's pairing, and its result.
package final class NodePairing {
    package enum Goal {
        case giveAccount(NodeAccount)
        /// The account gets this label here, or an unused one.
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
    /// The reason that the secret could not be obtained or stored.
    package var failure: NodeError?
    /// The account received.
    package var account: NodeAccount?
    package var token: GroupToken?

    init(_ goal: Goal) { self.goal = goal }
}
