/// Bounds of this module, with the reason for each number.
package enum Limits {
    // MARK: Control records

    /// A control record travels in one lane record, whose limit is 4 KiB with its header and sealing.
    package static let controlRecordBytes = 3_584
    /// Hashes that stand in a control record itself; a longer list goes into a blob.
    package static let inlineNames = 32
    /// Hashes of one list: what a sealed blob of 256 KiB holds.
    package static let names = 8_190
    /// Takings of one right that count. An owner device that merges issues one more only when it can name more, so an
    /// honest group stays far below; the cost of judging stays linear.
    package static let takingsPerRight = 256
    /// Delegations of one token: the invitation, and three times narrowed by who passed it on.
    package static let chainLinks = 4
    /// Device certificates carry an index below this: as many devices of one member work at a time.
    package static let deviceIndices: UInt8 = 16
    /// A root, or the one before it, sealed: nonce, 32 bytes, tag, and room for a later form.
    package static let sealedRootBytes = 160
    /// Characters of a group's title, a game's name and a member's display name: one line on a phone.
    package static let titleCharacters = 80
    /// A title's bytes of UTF-8, checked before its characters are counted.
    package static let titleBytes = 320
    /// Characters of a group's description: a paragraph.
    package static let descriptionCharacters = 400
    package static let descriptionBytes = 1_600

    /// Names that one member gives itself, one after the other.
    package static let nameRevision: UInt32 = 1_000_000

    /// Numbers of titles and rotations, each one above the last: no owner comes near, and one more never overflows.
    package static let ownersNumber: UInt64 = 1 << 53
    /// Epochs of one group: a removal a day for eleven years.
    package static let roots = 4_096

    // MARK: Tokens

    /// Bytes of UTF-8 of the title that a token shows before joining, so that the token fits a QR code.
    package static let tokenTitleBytes = 24
    /// A token's text with prefix and hyphens, for a chain of two.
    package static let tokenTextCharacters = 600
    /// What is read at all: a chain of four and room for spaces.
    package static let tokenInputBytes = 2_048
    /// Uses of a counted token, and the last second of its life (year 3058): bounds for its length. None is shorter.
    package static let tokenUses: UInt32 = 1_000_000
    package static let tokenExpirySeconds: UInt64 = (1 << 35) - 2
    /// Bytes of address hints: one IPv4 and one IPv6 address with their ports.
    package static let tokenHintBytes = 26

    // MARK: Joining

    /// Control records that show why somebody is a member: an admission, its invitation and a giving for each of those
    /// who let in whom, back to the founder.
    package static let vouchers = 128
    /// The same in bytes: with the rest of a message below the engine's 65,000.
    package static let voucherBytes = 32_768
    /// The same of all peers whose records are not here yet: several newcomers at once.
    static let heldVouchers = 1_024
    /// Roots in one welcome: 70 bytes each. A group with more removals tells its first epoch and the newest ones; the
    /// others follow from them, one from the next.
    package static let welcomeRoots = 400
    /// A message of the rendezvous: one of a session.
    package static let joinMessageBytes = 65_000
    /// Epochs whose tokens are answered: of an older one its invitation is most likely revoked.
    package static let rendezvousEpochs = 16
    /// Keys of one account that were removed from a group, one after the other.
    package static let removals: UInt32 = 1_000

    // MARK: Scores

    /// Revisions of one score: a person corrects a result a few times; the rest is room for programs.
    package static let scoreRevision: UInt32 = 1_000
    /// Attempts, guesses, hints, points or seconds of one result; a day has 86,400 seconds.
    package static let scoreValue: UInt32 = 1_000_000
    /// Attempts that a game may grant.
    package static let maxAttempts: UInt32 = 100
    /// A streak in days: 274 years.
    package static let streakDays: UInt32 = 100_000
    /// Games in one group's catalogue.
    package static let games = 50
    /// Rows of a message from which on their signatures are checked by two threads: below, handing over costs more.
    static let preparedRows = 16
    /// Scores that wait in memory to be counted, some 200 bytes each; of more the members' rows are read again.
    static let arrivedScores = 200_000
    /// So many are counted though nobody asks.
    static let countedAtOnce = 4_096
    /// What arrives later than this after the end of its day is shown as late.
    package static let lateMilliseconds: Int64 = 48 * 3_600_000
    /// A text from the clipboard; what games put there has at most a few lines.
    package static let shareTextBytes = 4_096
}
