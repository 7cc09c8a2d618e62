/// Where a pairing stands, as its user has to know it.
package enum PairingState: Equatable, Sendable {
    /// Nobody is there, or one device that is looked at a moment longer. Next: choosing, waiting, over.
    case seeking
    /// The user is asked which device is meant. Next: waiting, over.
    case choosing
    /// The other device has not chosen this one yet, or both are about to have digits. Next: any.
    case waiting(PairingCandidate)
    /// The user compares. `isConfirmed`: has done so, and the other one has not. Next: any.
    case comparing(PairingCandidate, PairingDigits, isConfirmed: Bool)
    /// Both have consented. Next: over; with a lost connection any.
    case moving(PairingCandidate)
    /// Final.
    case over(PairingEnd)
}
