/// Why a session of a pairing came to nothing.
package enum PairingFault: Error, Equatable, Sendable {
    case malformed
    case outOfOrder
    /// Both give, both take, or what is not what the other wants.
    case otherPurpose
    /// What was revealed is not what was committed to: somebody stands in between.
    case wrongCommitment
    /// The digits that were given here are not those that are shown.
    case wrongDigits
    case refused(PairingRefusal)
    /// The connection ended.
    case lost
    /// The other device did not go on in time.
    case silent
    /// The same device has come anew.
    case replaced
}
