/// The limits of this module, with the reason for each number.
package enum Limits {
    // MARK: Control records

    /// Bytes of a control record: it travels in one lane record, which is limited to 4 KiB with header and sealing.
    package static let controlRecordBytes = 3_584
    /// Hashes inside a control record; a longer list goes into a blob.
    package static let inlineNames = 32
    /// Hashes in one list: as many as a sealed blob of 256 KiB holds.
    package static let names = 8_190
    /// Takings of one right that count. When merging, an owner's device issues another one only if it can name more, so
    /// an honest group stays far below; the cost of judging stays linear.
    package static let takingsPerRight = 256
    /// Delegations in one token: the invitation, narrowed up to three times by those who passed it on.
    package static let chainLinks = 4
    /// Device certificates have an index below this, which limits the simultaneous devices of one member.
    package static let deviceIndices: UInt8 = 16
    /// A sealed root, current or previous: nonce, 32 bytes, tag, and room for a later form.
    package static let sealedRootBytes = 160
    /// Characters of a group's title, a game's name and a member's display name: one line on a phone.
    package static let titleCharacters = 80
    /// A title's bytes of UTF-8, checked before its characters are counted.
    package static let titleBytes = 320
    /// Characters of a group's description: a paragraph.
    package static let descriptionCharacters = 400
    package static let descriptionBytes = 1_600

    /// Highest revision of a member's name.
    package static let nameRevision: UInt32 = 1_000_000

    /// Numbers of titles and rotations, each one above the last: far more than any owner uses, and incrementing never
    /// overflows.
    package static let ownersNumber: UInt64 = 1 << 53
    /// Epochs of one group: a removal a day for eleven years.
    package static let roots = 4_096

    // MARK: Tokens

    /// Bytes of UTF-8 of the title that a token shows before joining, so that the token fits a QR code.
    package static let tokenTitleBytes = 24
    /// A token's text with prefix and hyphens, for a chain of two links.
    package static let tokenTextCharacters = 600
    /// Longest input that is parsed at all: a chain of four and room for spaces.
    package static let tokenInputBytes = 2_048
    /// Uses of a token with limited uses, and the latest expiry (year 3058): they bound its length. None is shorter.
    package static let tokenUses: UInt32 = 1_000_000
    package static let tokenExpirySeconds: UInt64 = (1 << 35) - 2
    /// Bytes of address hints: one IPv4 and one IPv6 address with their ports.
    package static let tokenHintBytes = 26

    // MARK: Joining

    /// Control records that prove a membership: the admission, invitation and giving of each person along the chain of
    /// admissions back to the founder.
    package static let vouchers = 128
    /// The same in bytes: with the rest of a message they stay below the engine's 65,000.
    package static let voucherBytes = 32_768
    /// The same for all peers whose records are not here yet: several newcomers at once.
    static let heldVouchers = 1_024
    /// Roots in one welcome, 70 bytes each. A group with more removals sends its first epoch and the newest ones; the
    /// others follow, one from the next.
    package static let welcomeRoots = 400
    /// Bytes of a rendezvous message; a session has only one.
    package static let joinMessageBytes = 65_000
    /// Number of newest epochs whose tokens are answered: an invitation from an older one is most likely revoked.
    package static let rendezvousEpochs = 16
    /// Successive keys of one account that were removed from a group.
    package static let removals: UInt32 = 1_000

    // MARK: Scores

    /// Revisions of one score: a person corrects a result a few times; the rest is for programs.
    package static let scoreRevision: UInt32 = 1_000
    /// Attempts, guesses, hints, points or seconds of one result; a day has 86,400 seconds.
    package static let scoreValue: UInt32 = 1_000_000
    /// Maximum attempts that a game may define.
    package static let maxAttempts: UInt32 = 100
    /// A streak in days: 274 years.
    package static let streakDays: UInt32 = 100_000
    /// Games in one group's catalogue.
    package static let games = 50
    /// Scores kept in memory until counted, some 200 bytes each; beyond that, the members' rows are read again.
    static let arrivedScores = 200_000
    /// Recent scores not yet reported as posted; the latest stay.
    static let newScores = 256
    /// With this many waiting, scores are counted although nobody asks.
    static let countedAtOnce = 4_096
    /// A result that arrives later than this after the end of its day is shown as late.
    package static let lateMilliseconds: Int64 = 48 * 3_600_000
    /// Bytes of a text from the clipboard; games put at most a few lines there.
    package static let shareTextBytes = 4_096
}
