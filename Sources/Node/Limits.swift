import Chat
import SyncState

/// Every bound of the node's shells, in one place, with units and the reason for the number.
package enum Limits {

    /// A device name, in bytes of UTF-8.
    package static let deviceNameBytes = 128

    /// A conversation id or a contact, in bytes of UTF-8. They go into records of 4 KiB.
    package static let nameBytes = 256

    /// The identity file: a device secret and a few accounts. What is larger is not one of ours.
    package static let identityFileBytes = 64 << 10

    /// How much later than planned a turn is after the machine slept: more than any turn takes.
    package static let sleepNoticed: Duration = .seconds(20)

    /// Messages with several contents that `diagnostics` looks at: each opens two segments.
    package static let diagnosedConflicts = 100

    /// Repairs that `diagnostics` shows, the newest.
    package static let diagnosedRepairs = 20

    /// Devices that one sentence names; of more it tells the number.
    package static let namedDevices = 3

    /// How long a device may be away before that is told as a problem: a week without one is a holiday.
    package static let deviceMissedAfter: Duration = .seconds(7 * 86_400)

    /// Accounts on one node: as many zones as a beacon names.
    package static let accounts = 64

    /// Groups on one node, of all its accounts: as many zones as a beacon names, less one account.
    package static let groups = 63

    /// Members of one group whose levels are kept: as many lanes as a zone has.
    package static let groupMembers = 4_096

    /// The longest life of an invitation that is not for ever: ten years.
    package static let lifetimeSeconds: UInt64 = 315_360_000

    /// How long the invitation lives that a pairing hands over: who gets it comes at once.
    package static let pairedInvitation = "10m"

    /// The file with the results of a group that was left: sixty years of five games a day.
    package static let leftScoresBytes = 32 << 20
    /// Keys of one account in a group, one after each removal, whose results are looked for.
    package static let leftKeys = 16

    /// What the user calls an account, in bytes of UTF-8.
    package static let labelBytes = 64

    /// The file of what the user has seen to: some 90 bytes an account.
    package static let careFileBytes = 16 << 10

    /// How long what `care.json` says is taken for true: `status` may be asked thousands of times a second.
    package static let carePause: Duration = .seconds(1)

    /// The settings file: a few numbers and a line of text.
    package static let settingsFileBytes = 64 << 10

    /// Least bytes of messages at which a segment may be cut: below, its record outweighs what it holds.
    package static let archiveBytesLeast = 4096

    /// How long a message may wait for its segment, in seconds: shorter makes a segment a message, longer than an hour
    /// keeps the other devices waiting.
    package static let archiveAgeSeconds = 5...3600

    /// How long nothing must be marked before reads are published, in seconds: shorter publishes while scrolling.
    package static let readQuietSeconds = 5...120

    /// Days of silence after which a device is retired: a holiday must not do it; ten years are as good as never.
    package static let retireAfterDays = 30...3650
    package static let retireAfterDaysNormally = 90

    /// The text that stands for a body in an old app's lines, in bytes of UTF-8.
    package static let placeholderTextBytes = 256

    /// Keys that first messages of strangers are tried with, at once and in the long run: at 10 µs each some 4 % of a
    /// core. A node with one account has 17.
    package static let triedKeys = 8_000
    package static let triedKeysPerSecond = 4_000

    /// Bytes that an account may take: up to the largest file of common file systems.
    package static let storageQuotaBytes = 0...(16 << 40)

    /// Between two looks whether the identity can still be read: a read of some hundred bytes. More often while it
    /// cannot.
    package static let identityLookPause: Duration = .seconds(30)
    package static let lockedLookPause: Duration = .seconds(3)

    /// Length of `sockaddr_un.sun_path` on Linux without the terminating zero, in bytes (unix(7)).
    package static let socketPathBytes = 107

    /// Static peers given by `--peer`.
    package static let staticPeers = 64

    /// Between two looks at what to tell the service manager: nobody reads faster.
    package static let serviceLookPause: Duration = .seconds(2)

    /// What the service manager is told of the node's state, in characters: a line on a terminal.
    package static let serviceStatusCharacters = 200

    /// Before a store that could not be opened is tried again.
    package static let reopenPause: Duration = .seconds(30)

    /// Addresses that worked and are tried again after a restart.
    package static let rememberedAddresses = 32

    /// Sealed bytes that may stand in front of a socket: what is more urgent overtakes the rest.
    package static let outputBytes = 128 << 10

    /// While less than this waits for a peer, more of what it asked for is made, and that much at once.
    package static let refillBelowBytes = 256 << 10
    package static let refillBytes = 512 << 10

    /// Bytes for one peer in one turn, so that the others get theirs.
    package static let sentBytesPerTurn = 2 << 20

    /// How long a peer may take for the last words of a session.
    package static let lastWordsTimeout: Duration = .seconds(2)

    /// Of the second that `background` may take: for the devices in reach to fetch what is new, then for the last words
    /// of their sessions, and where these were cut off for what is still to be written.
    package static let handoverTime: Duration = .milliseconds(500)

    /// How often `background` looks whether they have: nothing wakes a command when a peer says its last word.
    package static let handoverLook: Duration = .milliseconds(5)

    /// How long an account has to be syncing before its change feed says so.
    package static let syncingBeforeTold: Duration = .milliseconds(500)

    // MARK: Local API

    /// The port of the API, where nobody else has it: the one behind the beacons'.
    package static let usualAPIPort: UInt16 = 47_768

}
