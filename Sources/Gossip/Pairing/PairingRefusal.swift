/// Why a device ends a session of a pairing.
package enum PairingRefusal: UInt64, Sendable {
    /// Its user does not see the same digits, or does not want this device.
    case digitsDiffer = 1
    /// Its user ended the pairing, or the time is over.
    case stopped = 2
    /// Another device is meant, or there is one more now and its user is asked.
    case notChosen = 3
    /// What came could not be kept there.
    case notTaken = 4
}
