import Gossip
package import NodeCore

/// The identity file is the user's permission for this node to use the account's keys: removing the file, or locking
/// the disk it is on, stops sync, and restoring it resumes sync.
extension NodeNetwork {
    /// Checks whether the identity still exists unchanged, if that is due.
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
    /// Why the identity in use is no longer available from its file; nil if it is.
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
