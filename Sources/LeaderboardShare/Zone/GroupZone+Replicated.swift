package import NodeCore
package import SyncState

/// The group's zone as the engine sees it.
extension GroupZone: ReplicatedZone {
    /// The current epoch's, then those of the others, the newest first: who slept through a rotation comes back.
    var epochsByAge: [GroupEpoch] {
        [ring.current] + ring.epochs.reversed().filter { $0.record != ring.current.record }
    }

    package var discoveryKeys: [Secret] { epochsByAge.map(\.discovery) }
    package var sessionKeys: [Secret] { epochsByAge.map(\.session) }

    package var keysRevision: UInt64 { UInt64(ring.epochs.count) << 32 | ring.current.number }

    /// The member's key and its signature.
    package func proof(of message: [UInt8]) -> [UInt8] { member.bytes + memberKey.sign(message) }

    /// A peer has to be a member, as far as is known here. Who has just joined knows of nobody, and takes who holds the
    /// root: all that it is told is signed.
    package func isProven(_ message: [UInt8], by proof: [UInt8]) -> Bool {
        guard proof.count == MemberID.byteCount + Ed25519.signatureBytes,
            let peer = MemberID(bytes: proof.prefix(MemberID.byteCount)),
            Ed25519.verify(
                signature: Array(proof.dropFirst(MemberID.byteCount)), message: message, publicKey: peer.storage)
        else { return false }
        return state.members[peer] != nil || (state.members[member] == nil && !state.removed.contains(member))
    }

    package var rendezvous: (any Rendezvous)? { door }

    package func work(now: MonotonicTime) throws { try settle() }

    package var deadline: MonotonicTime? { isUnsettled || mustReread ? .zero : nil }

    package func finish(now: MonotonicTime) throws { try settle() }

    package func rollback() throws {
        try store.rollback()
        try loadPause()
        try reread()
    }

    package func tidy() throws { try store.tidy() }
}
