import Ledger
package import NodeCore

/// Why a device cannot act for its account.
package enum AccountError: Error, Equatable {
    /// It is not among the account's devices, or not any more.
    case notAmongDevices
    /// The words, or the key, are another account's.
    case otherAccount
    /// The device was removed before.
    case alreadyRemoved
    /// The account has removed as many devices as it can.
    case tooManyRemovals
}

/// How a device enters an account.
package enum AccountEntrance: Sendable {
    /// The person's words, or a wallet's key.
    case words(AccountSigner)
    case paired(PairedDevice)
}

/// A device that another one of the account let in.
package struct PairedDevice: Sendable {
    /// The tag of the lane that was let in.
    package let tag: Bytes16
    package let endorser: LaneID
    /// The endorser's signature of `Enter.endorsed`.
    package let endorsement: [UInt8]
    /// How the endorser leads back to the person.
    package let path: [UInt8]

    package init(tag: Bytes16, endorser: LaneID, endorsement: [UInt8], path: [UInt8]) {
        (self.tag, self.endorser, self.endorsement, self.path) = (tag, endorser, endorsement, path)
    }
}
