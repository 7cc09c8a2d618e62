import Gossip
import LeaderboardShare
import NodeCore

/// What this node pairs for, and what came of it.
final class NodePairing {
    enum Goal {
        case giveAccount(NodeAccount)
        /// The account gets this label here, or one that is free.
        case takeAccount(label: String?)
        case giveGroup(NodeGroup, Role)
        case takeGroup(NodeAccount)

        var role: PairingRole {
            switch self {
            case .giveAccount, .giveGroup: .gives
            case .takeAccount, .takeGroup: .takes
            }
        }

        var subject: PairingSubject {
            switch self {
            case .giveAccount, .takeAccount: .account
            case .giveGroup, .takeGroup: .group
            }
        }
    }

    let goal: Goal
    /// Why what was to be given, or came, could not be had or kept.
    var failure: NodeError?
    /// What came.
    var account: NodeAccount?
    var token: GroupToken?

    init(_ goal: Goal) { self.goal = goal }
}
