/// The limits of this module, with the reason for each number.
package enum Limits {
    // MARK: Names

    /// Characters of a group's title, a game's name and a member's display name: one line on a phone.
    package static let titleCharacters = 80
    /// A title's bytes of UTF-8, checked before its characters are counted.
    package static let titleBytes = 320
    /// Characters of a group's description: a paragraph.
    package static let descriptionCharacters = 400
    package static let descriptionBytes = 1_600

    /// Highest revision of a member's name.
    package static let nameRevision: UInt32 = 1_000_000

    // MARK: Tokens

    /// Bytes of UTF-8 of the title that a token shows before joining, so that the token fits a QR code.
    package static let tokenTitleBytes = 24
    /// A token's bytes: its text, with prefix and hyphens, has 300 characters. Address hints that are beyond are left
    /// out.
    package static let tokenBytes = 166
    /// Nodes of the tree of tickets that a token has: enough for what is left after some cuts.
    package static let tokenNodes = 3
    /// Longest input that is parsed at all: the longest token, and room for spaces.
    package static let tokenInputBytes = 1_024
    /// Bytes of address hints: one IPv4 and one IPv6 address with their ports.
    package static let tokenHintBytes = 26

    // MARK: Joining

    /// Control records in one answer: what shows that two lanes belong to the group.
    package static let shownRecords = 64
    /// Tickets that a joiner shows at once: the first that is free lets it in.
    package static let shownTickets = 8
    /// Latest meetings for which a joiner remembers the tickets that it showed: more than are open at once.
    static let meetingsKept = 64
    /// Sealed tickets in one Offer: 190 bytes each are below a control record's bound.
    package static let offeredTickets = 20
    /// Bytes of a rendezvous message; a session has only one.
    package static let joinMessageBytes = 65_000
    /// Number of newest epochs whose tokens are answered: an invitation from an older one is most likely revoked.
    package static let rendezvousEpochs = 16

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
    /// Scores kept in memory until counted, at most 700 bytes each; beyond that, the members' rows are read again.
    static let arrivedScores = 20_000
    /// Names of a member, and its entries for one game, that are kept in memory: a person changes one a few times.
    static let heldRevisions = 16
    /// Games of one member that are kept in memory, those of the lowest ids: five times as many as a group shows.
    static let heldGames = 256
    /// Days of results that are shown, 1970 to 2099: 64 days of one member and game take up to 600 bytes.
    static let shownDays: ClosedRange<Int32> = 0...47_481
    /// Ends of one lane's rows that a Word, Close or Remove names: an honest lane has one for each copy of its device.
    static let namedEnds = 256
    /// Recent scores not yet reported as posted; the latest stay.
    static let newScores = 256
    /// Number of waiting scores from which they are counted unasked.
    static let countedAtOnce = 4_096
    /// A result that arrives later than this after the end of its day is shown as late.
    package static let lateMilliseconds: Int64 = 48 * 3_600_000
    /// Bytes of a text from the clipboard; games put at most a few lines there.
    package static let shareTextBytes = 4_096
}
