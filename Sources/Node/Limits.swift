import Chat
import SyncState

/// Every bound of the node's shells, in one place, with units and the reason for the number.
enum Limits {
    /// One line of the control protocol or of an import, in bytes: a body of 64 KiB may need six bytes a character in
    /// JSON (`\u001f`), and inline attachments come beside it.
    static let controlLineBytes = 1 << 20

    /// Commands in work at once, and as many connections whose request is not here yet. Each may buffer a line and a
    /// reply; commands of one person are few.
    static let controlConnections = 32

    /// Of the commands in work, those that go on until they are interrupted: there is room for short ones beside them.
    static let lastingCommands = 24

    /// Reply bytes that wait for a slow reader before its command is put on hold (an export streams through this).
    static let controlReplyBytes = 256 << 10

    /// Bytes read from one control connection per turn of the loop, so that an import does not hold sync up.
    static let controlReadBytes = 64 << 10

    /// Lines of an import in one durable commit; its acknowledgement leaves after it.
    static let importBatchLines = 512

    /// Lines of an import parsed in one slice of the loop: about 2 ms of JSON.
    static let importSliceLines = 64

    /// Bad lines of one import that are told one by one; the rest is only counted.
    static let importComplaints = 1000

    /// Messages written to an export or a list in one slice of the loop.
    static let exportSliceMessages = 100
    /// Wanted segments, the newest, that a list looks at for its gaps: some 10 ms. With more, a restore is under way.
    static let gapRows = 2_048

    /// Hits that `message search` gives where nothing is said, and at most.
    static let usualSearchHits: UInt64 = 100
    static let searchHits = Chat.Limits.searchHits

    /// Segments that a search opens in one slice of the loop: about a millisecond.
    static let searchSliceSegments = 64

    /// Content of one part of an archive, in bytes: what a damaged place can take with it.
    static let archivePartBytes = 1 << 20

    /// The list of contents of an archive or a backup: with 200 bytes a part, 5 GB of an archive's lines.
    static let manifestBytes = 1 << 20

    /// Bytes of an archive or a backup that are read at once.
    static let containerReadBytes = 128 << 10

    /// Pages (of 16 KiB) that a backup copies in one slice of the loop: about a millisecond.
    static let backupSlicePages = 64

    /// Rows that `message list` gives at most in one call; more comes by `--before`.
    static let messageListRows = 10_000

    /// A body, in bytes of UTF-8.
    static let bodyBytes = 64 << 10

    /// Digits of a device's id that `device forget` asks for.
    static let forgottenIDDigits = 8

    /// A device name, in bytes of UTF-8.
    static let deviceNameBytes = 128

    /// A conversation id or a contact, in bytes of UTF-8. They go into records of 4 KiB.
    static let nameBytes = 256

    /// Attachments of one message, and the bytes of one that may travel inside it.
    static let attachments = 16
    static let inlineAttachmentBytes = 12 << 10

    /// A link or a MIME type of an attachment, in bytes.
    static let linkBytes = 2048

    /// The identity file: a device secret and a few accounts. What is larger is not one of ours.
    static let identityFileBytes = 64 << 10

    /// Between two words of `sync --wait` about how far it is: as fast as a bar can be looked at.
    static let progressPause: Duration = .milliseconds(250)

    /// How often `status --watch` looks.
    static let watchPause: Duration = .milliseconds(500)

    /// How much later than planned a turn is after the machine slept: more than any turn takes.
    static let sleepNoticed: Duration = .seconds(20)

    /// After so long without a word from the node a command asks whether it lives, and waits as long for an answer:
    /// more than the longest turn, which derives an index anew.
    static let answerPatienceMilliseconds: Int32 = 10_000

    /// Records of segments that `explain` opens in one slice of the loop: about a millisecond.
    static let explainSliceRows = 256

    /// Messages with several contents that `diagnostics` looks at: each opens two segments.
    static let diagnosedConflicts = 100

    /// Repairs that `diagnostics` shows, the newest.
    static let diagnosedRepairs = 20

    /// Devices that one sentence names; of more it tells the number.
    static let namedDevices = 3

    /// How long a device may be away before that is told as a problem: a week without one is a holiday.
    static let deviceMissedAfter: Duration = .seconds(7 * 86_400)

    /// Accounts on one node: as many zones as a beacon names.
    static let accounts = 64

    /// Groups on one node, of all its accounts: as many zones as a beacon names, less one account.
    static let groups = 63

    /// How long `group join` waits for a member where nothing else is said, and how often it looks.
    static let joinPatienceMilliseconds: UInt64 = 5_000
    static let joinLook: Duration = .milliseconds(10)

    /// Members of one group whose levels are kept: as many lanes as a zone has.
    static let groupMembers = 4_096

    /// The longest life of an invitation that is not for ever: ten years.
    static let lifetimeSeconds: UInt64 = 315_360_000

    /// How long the invitation lives that a pairing hands over: who gets it comes at once.
    static let pairedInvitation = "10m"

    /// The file with the results of a group that was left: sixty years of five games a day.
    static let leftScoresBytes = 32 << 20
    /// Keys of one account in a group, one after each removal, whose results are looked for.
    static let leftKeys = 16

    /// What the user calls an account, in bytes of UTF-8.
    static let labelBytes = 64

    /// The file of what the user has seen to: some 90 bytes an account.
    static let careFileBytes = 16 << 10

    /// How long what `care.json` says is taken for true: `status` may be asked thousands of times a second.
    static let carePause: Duration = .seconds(1)

    /// Age up to which `doctor` takes a backup for fresh.
    static let freshBackup: Duration = .seconds(30 * 86_400)

    /// Free bytes below which `doctor` warns: some days of a busy chat.
    static let doctorFreeBytes = 64 << 20

    /// How long `doctor` waits for a datagram to return, a connection to stand, or a peer to answer.
    static let doctorPatience: Duration = .milliseconds(800)

    /// Bytes of a store that `doctor` has SQLite look through while a node serves, which waits meanwhile: 0.1 s.
    static let doctorStoreBytes = 64 << 20

    /// How far two clocks may be apart before `doctor` warns: days and expiries are told in minutes.
    static let clockTolerance: Duration = .seconds(30)

    /// The settings file: a few numbers and a line of text.
    static let settingsFileBytes = 64 << 10

    /// Least bytes of messages at which a segment may be cut: below, its record outweighs what it holds.
    static let archiveBytesLeast = 4096

    /// How long a message may wait for its segment, in seconds: shorter makes a segment a message, longer than an hour
    /// keeps the other devices waiting.
    static let archiveAgeSeconds = 5...3600

    /// How long nothing must be marked before reads are published, in seconds: shorter publishes while scrolling.
    static let readQuietSeconds = 5...120

    /// Days of silence after which a device is retired: a holiday must not do it; ten years are as good as never.
    static let retireAfterDays = 30...3650
    static let retireAfterDaysNormally = 90

    /// The text that stands for a body in an old app's lines, in bytes of UTF-8.
    static let placeholderTextBytes = 256

    /// Keys that first messages of strangers are tried with, at once and in the long run: at 10 µs each some 4 % of a
    /// core. A node with one account has 17.
    static let triedKeys = 8_000
    static let triedKeysPerSecond = 4_000

    /// Bytes that an account may take: up to the largest file of common file systems.
    static let storageQuotaBytes = 0...(16 << 40)

    /// Between two looks whether the identity can still be read: a read of some hundred bytes. More often while it
    /// cannot.
    static let identityLookPause: Duration = .seconds(30)
    static let lockedLookPause: Duration = .seconds(3)

    /// Length of `sockaddr_un.sun_path` on Linux without the terminating zero, in bytes (unix(7)).
    static let socketPathBytes = 107

    /// A file with a phrase: 24 words of at most 8 letters, with generous white space.
    static let phraseFileBytes = 4096

    /// How long a command waits for a node that holds the lock but does not serve yet (it is starting or stopping).
    static let nodeStartMilliseconds = 5000

    /// Static peers given by `--peer`.
    static let staticPeers = 64

    /// A command line: arguments and bytes of one argument.
    static let arguments = 256
    static let argumentBytes = 16 << 10

    /// Between two looks at what to tell the service manager: nobody reads faster.
    static let serviceLookPause: Duration = .seconds(2)

    /// What the service manager is told of the node's state, in characters: a line on a terminal.
    static let serviceStatusCharacters = 200

    /// Before a store that could not be opened is tried again.
    static let reopenPause: Duration = .seconds(30)

    /// Addresses that worked and are tried again after a restart.
    static let rememberedAddresses = 32

    /// Sealed bytes that may stand in front of a socket: what is more urgent overtakes the rest.
    static let outputBytes = 128 << 10

    /// While less than this waits for a peer, more of what it asked for is made, and that much at once.
    static let refillBelowBytes = 256 << 10
    static let refillBytes = 512 << 10

    /// Bytes for one peer in one turn, so that the others get theirs.
    static let sentBytesPerTurn = 2 << 20

    /// How long a peer may take for the last words of a session.
    static let lastWordsTimeout: Duration = .seconds(2)

    /// Of the second that `background` may take: for the devices in reach to fetch what is new, then for the last words
    /// of their sessions, and where these were cut off for what is still to be written.
    static let handoverTime: Duration = .milliseconds(500)
    static let farewellTime: Duration = .milliseconds(200)
    static let lettingGoTime: Duration = .milliseconds(200)

    /// How often `background` looks whether they have: nothing wakes a command when a peer says its last word.
    static let handoverLook: Duration = .milliseconds(5)

    /// Entries of the change feed in one slice of the loop.
    static let changesSlice = 256

    /// Entries that `events` looks at in one slice: each may open 25 segments, 0.1 ms each.
    static let eventsSlice = 16

    /// How old a message may be of which `events` tells: what is older is history that came late.
    static let noticeAge: Duration = .seconds(24 * 3600)

    /// How long before the day's end `events` tells of streaks that end with it, and how often it looks at the clock: a
    /// machine that slept is not woken by a time that went by.
    static let streakWarning: Duration = .seconds(4 * 3600)
    static let streakLook: Duration = .seconds(60)

    /// Seconds that a command of `events --exec` may take before it is killed: the next ones wait for it.
    static let hookSeconds = 60

    /// How long an account has to be syncing before its change feed says so.
    static let syncingBeforeTold: Duration = .milliseconds(500)

    // MARK: Local API

    /// The port of the API, where nobody else has it: the one behind the beacons'.
    static let usualAPIPort: UInt16 = 47_768

    /// A request's target. The longest text is a page of a list's cursor, or a search.
    static let httpTargetBytes = 8 << 10

    /// Header fields of one request: a browser sends some twenty.
    static let httpHeaders = 64

    /// A request's body that is one document; a message has 64 KiB of text, and attachments.
    static let httpBodyBytes = 1 << 20

    /// Bytes of a stream that wait for its reader before the command is put on hold; with 64 streams 16 MiB.
    static let httpStreamBytes = 64 << 10

    /// Connections to the port that have shown no good token, where the oldest gives way: what eight turns of the loop
    /// accept, so that a program that says at once who it is has long done so.
    static let unknownConnections = 128

    /// Connections to the port of those who showed a token, and one token's share: browsers open six at a time, the
    /// libraries of apps as many as they have requests. Both kinds are a quarter of the 1,024 files of a process.
    static let knownConnections = 128
    static let connectionsOfOne = 32

    /// Connections by the home's socket of either kind, beside those: others on the machine may hold all of the port's.
    static let homeConnections = 32

    /// From the connection, or the answer before, until the head of the next request is here.
    static let requestTime: Duration = .seconds(30)

    /// A body, or at least so many bytes of it, has to come within this time; then the time begins again.
    static let bodyTime: Duration = .seconds(30)
    static let bodyProgressBytes = 4 << 10

    /// How often connections that are waited for are looked through, while there are any.
    static let lookInterval: Duration = .seconds(5)

    /// Streams of events at once: each is asked in every turn whether there is something new. And one token's share: a
    /// browser has one for each open page.
    static let eventStreams = 64
    static let eventStreamsOfOne = 16

    /// How often a stream shows that it lives: proxies and phones give up a silent connection after a minute or less.
    static let eventBeat: Duration = .seconds(15)

    /// The same for an answer in lines. A caller that is gone shows with the second: a device may be let in meanwhile.
    static let lineBeat: Duration = .seconds(5)

    /// How long a reader waits before it connects again.
    static let eventRetryMilliseconds = 2_000

    /// Rows in one page; with bodies of 64 KiB some 32 MiB at worst.
    static let apiPageRows: UInt64 = 500

    /// A text given as a parameter, in Unicode scalars: a title, a cursor, words to search for.
    static let apiTextCharacters = 1024

    /// How long a request may wait for something, in seconds: proxies give up after a minute.
    static let apiWaitSeconds: UInt64 = 60

    /// Tokens of a home; each request is compared with all of them.
    static let apiTokens = 64
    static let tokenFileBytes = 256 << 10

    /// How long a link to the dashboard works, and how many are kept that nobody has used: one person asks for them.
    static let loginCodeTime: Duration = .seconds(60)
    static let loginCodes = 8

    /// How long a browser stays signed in, and how many may be: of more the oldest is signed out.
    static let dashboardSessionDays: Int64 = 30
    static let dashboardSessions = 8

    /// Wrong tokens of one address within a minute, after which it has to wait.
    static let failuresInWindow = 30
    static let failureWindow: Duration = .seconds(60)

    /// Addresses whose failures are counted; of this machine there are two.
    static let failingAddresses = 64

    /// Answers that are kept for requests that come again, and for how long.
    static let idempotencyKeys = 256
    static let idempotencyTime: Duration = .seconds(24 * 3600)
}
