import Chat
package import Gossip
package import LeaderboardShare
import NodeCore
import SyncState

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

/// Gives the account, or a place in a group, to another device in the room.
extension LocalNode {
    /// Becomes visible, for at most two minutes.
    package func begin(_ goal: NodePairing.Goal, time: Duration) throws(NodeError) -> NodePairing {
        guard let server else {
            throw NodeError(.notReachable, "no node is running on \(home.path)\(advice: ": run `kachat-node run`")")
        }
        if server.machine.isInBackground {
            throw NodeError(.failed, "the node is in the background\(advice: ": `kachat-node foreground` ends that")")
        }
        if let fault = identityFault() { throw fault }
        if let running = server.machine.pairing, !running.isOver {
            throw NodeError(.failed, "this node is already pairing\(advice: ": `kachat-node pairing stop` ends that")")
        }
        switch goal {
        case .giveGroup(let group, let role): try check(group, mayInvite: role)
        case .takeAccount where identity.accounts.count >= Limits.accounts:
            throw NodeError(.failed, "a node has at most \(Limits.accounts) accounts: remove one first")
        case .giveAccount, .takeAccount, .takeGroup: break
        }
        let made = NodePairing(goal)
        server.machine.begin(
            Pairing(
                role: goal.role, subject: goal.subject, name: identity.deviceName, time: time, random: SystemRandom(),
                now: clock.now()), now: clock.now())
        pairing = made
        return made
    }

    /// Checks first, so that two people do not compare digits in vain.
    private func check(_ group: NodeGroup, mayInvite role: Role) throws(NodeError) {
        let own = group.zone.state.members[group.zone.member]
        guard group.isServed, !group.zone.state.isClosed, let own, own >= .admin, role < own else {
            throw NodeError(.notAllowed, "in \(group.title) you may not admit anyone as \(role.word)")
        }
    }

    /// Drops a pairing that nobody waits for any more.
    package func abandon(_ abandoned: NodePairing) {
        guard pairing === abandoned else { return }
        server?.machine.changePairing { $0.stop() }
    }

    /// Runs before the turn's commit: gives or stores the secret after both users have consented.
    func followPairing() {
        guard let pairing, let server, let machine = server.machine.pairing, !machine.isOver else { return }
        let now = clock.now()
        do {
            if machine.mayGive {
                let secret = try secret(for: pairing.goal).encoded
                server.machine.changePairing { $0.give(secret, now: now) }
            } else if let secret = machine.secret {
                try keep(try PairedSecret(decoding: secret), for: pairing, from: machine.peerAddress)
                server.machine.changePairing { $0.take() }
            }
        } catch {
            pairing.failure = NodeError(cause: error)
            server.machine.changePairing { $0.fail() }
        }
    }

    private func secret(for goal: NodePairing.Goal) throws -> PairedSecret {
        switch goal {
        case .giveAccount(let account):
            guard let index = keys.firstIndex(where: { $0.accountID == account.accountID }) else {
                throw NodeError(.notFound, "the account \(account.label) was removed")
            }
            return .account(identity.accounts[index].secret)
        case .giveGroup(let group, let role):
            // For this one person, who uses it at once.
            let expires = try Lifetime.end(Limits.pairedInvitation, from: clock.wall())
            return .group(
                try group.zone.invite(
                    role: role, expiresSeconds: expires, uses: 1, hints: server?.joinHints ?? []))
        case .takeAccount, .takeGroup: preconditionFailure("invariant: only the giving side is asked for a secret")
        }
    }

    private func keep(_ secret: PairedSecret, for pairing: NodePairing, from address: SocketAddress?) throws {
        switch (secret, pairing.goal) {
        case (.account(let secret), .takeAccount(let label)):
            let account = try add(secret, label: label)
            pairing.account = account
            // The sender is one of the account's devices.
            if let address { server?.machine.meet(zone: account.placeID, at: address, now: clock.now()) }
        case (.group(let token), .takeGroup): pairing.token = token
        default: throw NodeError(.failed, "the other device sent something else than requested")
        }
    }
}
