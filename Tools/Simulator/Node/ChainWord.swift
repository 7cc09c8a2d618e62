/// What the chain says of a message.
package enum ChainWord: Hashable, Sendable {
    case confirmed(acceptingDaaScore: UInt64)
    /// It was taken out of the chain.
    case reorged
    /// None of these yet.
    case pending
}
