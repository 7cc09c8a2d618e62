import Chat
import SyncState

/// The limits of this module, with their units and reasons.
package enum Limits {

    /// Descriptors for connections below which the node says at its start that there are few: a household's devices and
    /// a browser take some thirty.
    static let fewDescriptors = 64

    /// A device name, in bytes of UTF-8.
    package static let deviceNameBytes = 128

    /// A conversation id or a contact, in bytes of UTF-8. They go into records of 4 KiB.
    package static let nameBytes = 256

    /// A joiner's name in a group, in bytes of UTF-8: 80 characters.
    static let joinNameBytes = 320

    /// Conditions that the log has told of and are not over. The oldest are forgotten.
    static let toldConditions = 256

    /// Codes of errors that are counted: the program has fewer.
    static let countedCodes = 128

    /// Characters of an id that name something: fewer would be met by chance.
    static let idDigits = 4

    /// Names that an error lists; of more it names the command that does.
    static let listedNames = 8

    /// Combining marks on one letter of a text on a terminal: no script needs more.
    static let combiningMarks = 4

    /// The identity file: a device secret and a few accounts. A larger file is not one of ours.
    package static let identityFileBytes = 64 << 10

    /// If a turn is later than planned by this much, the machine slept: no turn takes that long.
    package static let sleepNoticed: Duration = .seconds(20)

    /// Messages with several contents that `diagnostics` examines: each opens two segments.
    package static let diagnosedConflicts = 100

    /// Newest repairs shown by `diagnostics`.
    package static let diagnosedRepairs = 20

    /// Missing segments that a status lists by who has them: some 10 ms. If there are more, a restore is under way.
    static let missingSegments = 2_048

    /// Devices named in one sentence; beyond that only their number is given.
    package static let namedDevices = 3

    /// A device replaces the keys within seconds of a removal that it hears of: later, something keeps it from that.
    package static let rotationLate: Duration = .seconds(60)
    /// The lists of what stays of a removed device come right behind its removal.
    package static let listsLate: Duration = .seconds(60)

    /// Absence of a device that is reported as a problem: a week without one is a holiday.
    package static let deviceMissedAfter: Duration = .seconds(7 * 86_400)

    /// Accounts on one node: as many zones as a beacon holds.
    package static let accounts = 64

    /// Groups on one node, of all its accounts: as many zones as a beacon holds, minus one account.
    package static let groups = 63

    /// Members of one group whose levels are recorded: as many as a zone has lanes.
    package static let groupMembers = 4_096

    /// The longest lifetime of an invitation that expires: ten years.
    package static let lifetimeSeconds: Int64 = 315_360_000

    /// The lifetime of an invitation handed over by pairing: it is used at once.
    package static let pairedInvitation = "10m"
    /// How long members wait after a group was closed with a successor before they follow by themselves: time for an
    /// owner whose device was stolen to object. Each device of one member waits for those before it.
    static let followPause: Duration = .seconds(86_400)
    static let followRank: Duration = .seconds(600)

    /// The file with the results of a group that was left: sixty years of five games a day.
    package static let leftScoresBytes = 32 << 20

    /// An account's label, in bytes of UTF-8.
    package static let labelBytes = 64

    /// Wrong phrases or keys within `wrongTriesWindow`; then nobody may try until it is over.
    static let wrongTries = 3
    static let wrongTriesWindow: Duration = .seconds(60)

    /// The file of the user's precautions.
    package static let careFileBytes = 1 << 10

    /// Time that `care.json` is cached: `status` may be requested thousands of times a second.
    package static let carePause: Duration = .seconds(1)

    /// The settings file: a few numbers and a line of text.
    package static let settingsFileBytes = 64 << 10

    /// Minimum segment size in bytes of messages: below it, a record outweighs its content.
    package static let archiveBytesLeast = 4096

    /// Time a message may wait for its segment, in seconds: with less, each message becomes a segment; more than an
    /// hour keeps the other devices waiting.
    package static let archiveAgeSeconds = 5...3600

    /// Quiet time before reads are published, in seconds: less would publish while scrolling.
    package static let readQuietSeconds = 5...120

    /// The text that stands for a missing text in an old app's lines, in bytes of UTF-8.
    package static let placeholderTextBytes = 256

    /// Size limit of an account in bytes: up to the largest file of common file systems.
    package static let storageQuotaBytes = 0...(16 << 40)
    /// Size limit of a group in bytes, unless the user sets another one. Members may write as much as they like, and
    /// this is what that may cost.
    static let groupQuotaBytes = 1 << 30

    /// Interval for checking that the identity is still readable: a read of some hundred bytes. More often while it is
    /// not.
    package static let identityLookPause: Duration = .seconds(30)
    package static let lockedLookPause: Duration = .seconds(3)

    /// Length of `sockaddr_un.sun_path` on Linux without the terminating zero, in bytes (unix(7)).
    package static let socketPathBytes = 107

    /// Static peers given by `--peer`.
    package static let staticPeers = 64
    /// How long after a look-up the names of such peers are looked up again: while one is not found, doubling from the
    /// first to the second, as addresses that fail are dialled again.
    static let nameLookPause = Duration.seconds(1)
    static let nameLookPauseMost = Duration.seconds(60)

    /// Interval for checking what to tell the service manager: nobody reads faster.
    package static let serviceLookPause: Duration = .seconds(2)

    /// Length of the status text for the service manager, in characters: a line on a terminal.
    package static let serviceStatusCharacters = 200

    /// Pause before a store that could not be opened is retried.
    package static let reopenPause: Duration = .seconds(30)
    /// Interval for looking whether a full disk has room again.
    static let roomLookPause: Duration = .seconds(1)

    /// Addresses that worked and are tried again after a restart.
    package static let rememberedAddresses = 32

    /// Sealed bytes queued before a socket: limits how far an urgent message can be delayed.
    package static let outputBytes = 128 << 10

    /// While less than this waits for a peer, more of its requested data is produced, this much at once.
    package static let refillBelowBytes = 256 << 10
    package static let refillBytes = 512 << 10

    /// Bytes for one peer in one turn, so that the others get theirs.
    package static let sentBytesPerTurn = 2 << 20

    /// Time allowed for sending the last messages of a session.
    package static let lastWordsTimeout: Duration = .seconds(2)

    /// Part of the second that `background` may take: for devices in reach to fetch new data, then for the last
    /// messages of their sessions, and if these were cut off, for writing what is left.
    package static let handoverTime: Duration = .milliseconds(500)

    /// Interval at which `background` checks whether they have: nothing wakes a command when a peer sends its last
    /// message.
    package static let handoverLook: Duration = .milliseconds(5)

    /// Time an account must be syncing before its change feed reports it.
    package static let syncingBeforeTold: Duration = .milliseconds(500)

    /// Posted scores of a group kept in memory for followers of the change feed.
    static let postedScores = 256

    // MARK: Local API

    /// The default port of the API, if it is free: the one after the beacons'.
    package static let usualAPIPort: UInt16 = 47_768

}
