/// A zone's judgement of a peer that has proved its identity.
package enum PeerStanding: Equatable, Sendable {
    case proven
    /// Not known to belong here: it may have been admitted by others, and can show that by vouchers.
    case unknown
    /// It was a member and no longer is; with the evidence to send to the peer itself.
    case dismissed([UInt8])
    /// The proof is invalid.
    case wrong
}
