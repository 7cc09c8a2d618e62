import Gossip
package import NodeCore

/// The identity is the user's word that this node may use the account's keys: who takes the file away, or locks what it
/// lies on, stops the sync, and starts it again by giving it back.
extension NodeNetwork {
    /// Looks whether the identity is still there and the same, if it is time to.
    func watchIdentity(_ now: MonotonicTime) {
        guard !isInBackground, now >= identityLookAt else { return }
        lookAtIdentity(now)
    }

    package func lookAtIdentity(_ now: MonotonicTime) {
        identityFault = node.identityFault()
        if let identityFault {
            log.once(.error, "identity-locked", identityFault.message)
        } else if log.over("identity-locked") {
            log.line(.info, "identity-back", "the identity can be read again; sync goes on")
        }
        machine.setLocked(identityFault != nil, now: now, wall: node.clock.wall())
        identityLookAt = now + (identityFault == nil ? Limits.identityLookPause : Limits.lockedLookPause)
    }
}

extension LocalNode {
    /// Why the identity that the node works with cannot be had from its file any more; nil where it can.
    package func identityFault() -> NodeError? {
        let reason: String
        do {
            guard try !IdentityFile.load(from: home).isSame(as: identity) else { return nil }
            reason =
                "\(home.identityPath) is another one than this node was started with: put it back, or start the node "
                + "anew"
        } catch {
            reason = error.code == .noIdentity ? "\(home.identityPath) is not there" : error.message
        }
        return NodeError(
            .badIdentity, "unlock this node: \(reason); nothing is lost, and sync goes on when the identity is back")
    }
}

extension Identity {
    func isSame(as other: Identity) -> Bool {
        var (own, others) = (encoded(), other.encoded())
        defer {
            wipe(&own)
            wipe(&others)
        }
        return own == others
    }
}
