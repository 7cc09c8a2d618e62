/// What a zone makes of a peer that has shown who it is.
package enum PeerStanding: Equatable, Sendable {
    case proven
    /// Not known to belong here: it may have come in by others, and can show so by vouchers.
    case unknown
    /// It belonged here, and does no longer; with what shows it to the peer itself.
    case dismissed([UInt8])
    /// The proof is not right.
    case wrong
}
