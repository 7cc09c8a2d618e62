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
            log.line(.info, "identity-back", "the identity can be read again; sync continues")
        }
        machine.setLocked(identityFault != nil, now: now, wall: node.clock.wall())
        identityLookAt = now + (identityFault == nil ? Limits.identityLookPause : Limits.lockedLookPause)
    }
}
