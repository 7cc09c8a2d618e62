/// The chain's state of a message.
package enum ChainWord: Hashable, Sendable {
    case confirmed(acceptingDaaScore: UInt64)
    /// It was removed from the chain.
    case reorged
    /// None of these yet.
    case pending
}
