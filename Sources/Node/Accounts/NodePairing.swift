import Chat
package import Gossip
package import LeaderboardShare
package import Ledger
import NodeCore
import SyncState

/// The goal of this node's pairing, and its result.
package final class NodePairing {
    package enum Goal {
        case giveAccount(NodeAccount)
        /// The account gets this label here, or an unused one.
        case takeAccount(label: String?)
        case giveGroup(NodeGroup, Ledger.Role)
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
    /// The reason that something could not be contributed or stored.
    package var failure: NodeError?
    /// The account received.
    package var account: NodeAccount?
    package var token: GroupToken?
    /// This device, while it asks to be let into the account.
    var applicant: AccountApplicant?
    /// The lane that was let into the account.
    var letIn: LaneID?

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
        case .giveAccount(let account): try check(mayLetIn: account)
        case .takeAccount, .takeGroup: break
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
    private func check(_ group: NodeGroup, mayInvite role: Ledger.Role) throws(NodeError) {
        let own = group.zone.state.role(of: group.zone.member)
        guard group.isServed, !group.zone.state.isClosed, own >= .admin, role < own else {
            throw NodeError(.notAllowed, "in \(group.title) you may not admit anyone as \(role.word)")
        }
    }

    /// Drops a pairing that nobody waits for any more.
    package func abandon(_ abandoned: NodePairing) {
        guard pairing === abandoned else { return }
        server?.machine.changePairing { $0.stop() }
    }

    /// Runs before the turn's commit: contributes what is due after both users have consented.
    func followPairing() {
        guard let pairing, let server, server.machine.pairing != nil else { return }
        let now = clock.now()
        do {
            noteArrival(of: pairing, server)
            guard let due = server.machine.pairing?.due else { return }
            let contribution = try contribution(to: pairing, due, from: server.machine.pairing?.peerAddress)
            server.machine.changePairing { $0.contribute(contribution, now: now) }
        } catch {
            pairing.failure = NodeError(cause: error)
            server.machine.changePairing { $0.fail() }
        }
    }

    /// Puts the device that has taken the account on its list, whether it ever comes or not, so that it can be removed.
    private func noteArrival(of pairing: NodePairing, _ server: any ZoneServer) {
        guard let lane = pairing.letIn, case .giveAccount(let account) = pairing.goal else { return }
        var path: [UInt8]?
        server.machine.changePairing { path = $0.takePath() }
        guard let path else { return }
        pairing.letIn = nil
        do {
            _ = try present(account).zone.membership.standing(of: lane, shown: path)
        } catch {
            // The other device has the account all the same, and is on the list once it comes.
            errors.note(NodeError(cause: error).code.rawValue, at: clock.wall())
        }
    }

    private func contribution(
        to pairing: NodePairing, _ due: PairingDue, from address: SocketAddress?
    ) throws -> PairingContribution {
        switch (due, pairing.goal) {
        case (.genesis, .giveAccount(let account)): return .genesis(try present(account).zone.keys.genesis.encoded)
        case (.lane(let genesis), .takeAccount):
            let applicant = try AccountApplicant(genesis: genesis, deviceSecret: identity.deviceSecret)
            try checkNew(applicant.zone)
            guard home.isFree(applicant.zone) else {
                let path = home.databasePath(of: applicant.zone)
                throw NodeError(
                    .exists, "\(path) is a store of that account from before: move it away, then pair again")
            }
            home.deleteStore(of: applicant.zone)
            pairing.applicant = applicant
            return .lane(applicant.lane)
        case (.secret(let lane?), .giveAccount(let account)):
            let zone = try present(account).zone
            pairing.letIn = lane.lane
            return .secret(
                PairedSecret.account(
                    PairedSecret.Account(
                        endorser: zone.lane, endorsement: zone.membership.endorse(lane.lane, sealKey: lane.sealKey),
                        path: zone.membership.path, firstRoot: zone.keys.firstRoot.secret)
                ).encoded)
        case (.secret(nil), .giveGroup(let group, let role)):
            return .secret(PairedSecret.group(try invitation(to: group, as: role)).encoded)
        case (.keeping(let secret), _):
            try keep(try PairedSecret(decoding: secret), for: pairing, from: address)
            let path = pairing.account?.zone.membership.path ?? []
            return .kept(path: path.count <= Gossip.Limits.pairingSecretBytes ? path : [])
        default: preconditionFailure("invariant: the machine asks each side for its own part")
        }
    }

    /// The account, if it was not removed while the users compared digits.
    private func present(_ account: NodeAccount) throws(NodeError) -> NodeAccount {
        guard accounts.contains(where: { $0 === account }) else {
            throw NodeError(.notFound, "the account \(account.label) was removed")
        }
        return account
    }

    /// An invitation for this one person, who uses it at once.
    private func invitation(to group: NodeGroup, as role: Ledger.Role) throws -> GroupToken {
        let expires = try Lifetime.end(Limits.pairedInvitation, from: clock.wall())
        return try group.zone.invitations.invite(role: role, expires: expires, hints: server?.joinHints ?? [])
    }

    private func keep(_ secret: PairedSecret, for pairing: NodePairing, from address: SocketAddress?) throws {
        switch (secret, pairing.goal, pairing.applicant) {
        case (.account(let answer), .takeAccount(let label), let applicant?):
            let account = try add(try applicant.addition(answer), label: label)
            pairing.account = account
            // The sender is one of the account's devices.
            if let address { server?.machine.meet(zone: account.placeID, at: address, now: clock.now()) }
        case (.group(let token), .takeGroup, _): pairing.token = token
        default: throw NodeError(.failed, "the other device sent something other than what was requested")
        }
    }
}
