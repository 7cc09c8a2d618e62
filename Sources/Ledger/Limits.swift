/// The limits of this module, with the reason for each number.
package enum Limits {
    // MARK: Records

    /// Bytes of one control record. Longer lists are several records.
    package static let recordBytes = 4_096
    /// Lanes, and the identity, to which one record seals a root: 40 entries of 85 bytes are below `recordBytes`.
    package static let sealEntries = 40
    package static let rootBytes = 32
    /// A sealed root or half of one, with its tag; no nonce, because each is sealed under a key of its own.
    package static let sealedRootBytes = 48
    package static let sealedTitleBytes = 2_048
    package static let sealedTicketBytes = 120
    /// Heads that one Word names: 90 hashes of 34 bytes are below `recordBytes`.
    package static let wordHeads = 90
    /// Numbers of Rotates: far more than any zone uses, and incrementing never overflows.
    package static let rotateNumber: UInt64 = 1 << 53
    /// Tips that one Rotate builds on, and Removes, Ends and Words that it covers: of 84 and 34 bytes, together below
    /// `recordBytes`. More take several Rotates.
    package static let rotateTips = 16
    package static let rotateCovers = 64
    /// How many members give one root back to an owner's device while another owner's device has it: nobody sees
    /// whether a Seal opens, and not all of three lie.
    static let giversOfRoot = 3
    /// Seals that one record calls unopened: 64 hashes of 34 bytes are below `recordBytes`.
    static let unopenedSeals = 64
    /// Such records of one lane, a quarter of what it may write in an account: beyond that, its person has to remove
    /// the device whose Seals do not open.
    static let unopenedRecords = 16
    /// Revisions of Words and Titles, alike.
    package static let revision: UInt64 = 1 << 53
    /// Lanes that one Remove names: a device's, and those before and after it by fresh starts.
    package static let removedLanes = 32
    /// Heads, lists and children that one Remove names: with the most lanes below `recordBytes`.
    package static let removeNames = 80
    /// Removes of one lane, or Revokes of one invitation, that are shown to somebody: what is shown has at most 64
    /// records.
    static let shownEnds = 8
    /// Tickets of one invitation.
    package static let tickets = 64
}
