/// How a pairing ended.
package enum PairingEnd: Equatable, Sendable {
    /// The secret is durable with who takes it.
    case done
    /// The user here has ended it.
    case stopped
    /// The other user has.
    case stoppedByPeer
    /// No try came to anything; why the last one did not.
    case noTriesLeft(PairingFault)
    case timedOut
    /// The secret has left, and the other device did not say that it has it.
    case notConfirmed
    /// What came, or was to be given, could not be kept or had. The shell knows why.
    case failed
    /// The other device could not give, or keep, it.
    case notTaken
}
