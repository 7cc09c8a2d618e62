import Chat
import SyncState

/// Every bound of the commands and the API, with units and the reason for the number.
package enum Limits {
    /// One line of an import, in bytes: a body of 64 KiB may need six bytes a character in JSON (`\u001f`), plus inline
    /// attachments.
    package static let inputLineBytes = 1 << 20

    /// Reply bytes that may wait for a slow reader before its command pauses (an export streams through this).
    package static let replyBytes = 256 << 10

    /// Lines of an import in one durable commit, whose acknowledgement leaves after it.
    package static let importBatchLines = 512

    /// Lines of an import parsed in one slice of the loop: about 2 ms of JSON.
    package static let importSliceLines = 64

    /// Bad lines of one import that are noted one by one; the rest are only counted.
    package static let importComplaints = 1000

    /// Messages written to an export or a list in one slice of the loop.
    package static let exportSliceMessages = 100
    /// Rows of any other list written in one slice of the loop: some 0.3 ms.
    package static let listSliceRows = 64
    /// Newest wanted segments that a list examines for gaps: some 10 ms. With more, a restore is under way.
    package static let gapRows = 2_048

    /// Hits of `message search`: default and maximum.
    package static let usualSearchHits = 100
    package static let searchHits = Chat.Limits.searchHits

    /// Segments opened by a search in one slice of the loop: about a millisecond.
    package static let searchSliceSegments = 64

    /// The list of contents of an archive or a backup: with 200 bytes a part, 5 GB of an archive's lines.
    package static let manifestBytes = 1 << 20

    /// Bytes of an archive or a backup read at once.
    package static let containerReadBytes = 128 << 10

    /// Time that `device remove` gives the connected devices to hear of it: some round trips and commits.
    static let removalWait: Duration = .seconds(2)

    /// Days of a race: a year, which for 500 members makes an answer of some 500 kB.
    package static let raceDays = 366

    /// Pages (of 16 KiB) copied by a backup in one slice of the loop: about a millisecond.
    package static let backupSlicePages = 64

    /// Backups downloaded at once: each has a copy of all stores on the disk.
    static let backupDownloads = 2

    /// Maximum rows of one `message list`; `--before` gets more.
    package static let messageListRows = 10_000

    /// The interval of progress lines of `sync --wait`: as fast as people can follow a bar.
    package static let progressPause: Duration = .milliseconds(250)

    /// The interval of `status --watch`.
    package static let watchPause: Duration = .milliseconds(500)

    /// Records of segments opened by `explain` in one slice of the loop: about a millisecond.
    package static let explainSliceRows = 256

    /// The default wait of `group join` for a member, and the interval of its checks.
    package static let joinPatienceMilliseconds: UInt64 = 5_000
    package static let joinLook: Duration = .milliseconds(10)

    /// How long `doctor` waits for a datagram to return, a connection to be accepted, or a peer to answer.
    package static let doctorPatience: Duration = .milliseconds(800)

    /// Bytes of a store that `doctor` checks while a node serves; the node waits meanwhile, 0.1 s.
    package static let doctorStoreBytes = 64 << 20

    /// The difference of two clocks before `doctor` warns: days and expiries are shown in minutes.
    package static let clockTolerance: Duration = .seconds(30)

    /// A file with a phrase: 24 words of at most 8 letters, with generous white space.
    package static let phraseFileBytes = 4096

    package static let farewellTime: Duration = .milliseconds(200)
    package static let lettingGoTime: Duration = .milliseconds(200)

    /// Entries of the change feed in one slice of the loop.
    package static let changesSlice = 256

    /// Entries examined by `notices` in one slice: each may open 25 segments, 0.1 ms each.
    package static let noticesSlice = 16

    /// The maximum age of a message in `notices`: older ones are late history.
    package static let noticeAge: Duration = .seconds(24 * 3600)

    /// How long before the day's end `notices` reports streaks that end with it, and how often it checks the clock,
    /// since a timer that passed during sleep wakes no machine.
    package static let streakWarning: Duration = .seconds(4 * 3600)
    package static let streakLook: Duration = .seconds(60)

    // MARK: Local API

    /// Time of one turn of the loop for the work of requests, beside the two slices that are certain and one that may
    /// have begun before its end. Sync, and a request that arrives meanwhile, wait for no more.
    package static let requestsTurnTime: Duration = .milliseconds(2)

    /// A request's target, in bytes. The longest texts are searches.
    package static let httpTargetBytes = 8 << 10

    /// Header fields of one request: a browser sends some twenty.
    package static let httpHeaders = 64

    /// A request's body if it is one document: a message has 64 KiB of text, and attachments.
    package static let httpBodyBytes = 1 << 20

    /// Bytes of a stream that may wait for its reader before the command pauses; with 64 streams, 4 MiB.
    package static let httpStreamBytes = 64 << 10

    /// Connections to the port without a valid token, of which the oldest gives way: as many as eight turns of the loop
    /// accept, so that a program that authenticates at once is safe.
    package static let unknownConnections = 128

    /// Connections to the port with a valid token, and one token's share: browsers open six at a time, apps' libraries
    /// as many as they have requests. Both kinds together are a quarter of the 1,024 files of a process;
    /// where it may have fewer, so are these.
    package static let knownConnections = 128
    package static let connectionsOfOne = 32

    /// Connections to the home's socket, separate from the port's, which other users of the machine may hold.
    package static let homeConnections = 32
    /// Of these, connections that last until interrupted, which leaves room for short commands.
    package static let lastingHomeConnections = 24

    /// From the connection or the last answer until the head of the next request is here.
    package static let requestTime: Duration = .seconds(30)

    /// A body, or at least this many bytes of it, must arrive within this time; then the time restarts.
    package static let bodyTime: Duration = .seconds(30)
    package static let bodyProgressBytes = 4 << 10

    /// The interval of checks for overdue connections, while any are awaited.
    package static let lookInterval: Duration = .seconds(5)

    /// Simultaneous event streams, each of which is checked in every turn; and one token's share, since a browser has
    /// one for each open page.
    package static let eventStreams = 64
    package static let eventStreamsOfOne = 16

    /// The interval of a stream's signs of life: proxies and phones drop a silent connection after a minute or less.
    package static let eventBeat: Duration = .seconds(15)

    /// The same for an answer in lines. The second one detects that the caller has gone, which ends a pairing.
    package static let lineBeat: Duration = .seconds(5)

    /// The wait of a reader before it reconnects.
    package static let eventRetryMilliseconds = 2_000

    /// A parameter's text, in Unicode scalars: a title, a cursor, words to search for.
    package static let apiTextCharacters = 1024

    /// One argument of a command line, in bytes.
    package static let sentArgumentBytes = 16 << 10

    /// The maximum wait of a request, in seconds: proxies give up after a minute.
    package static let apiWaitSeconds: UInt64 = 60

    /// Tokens of a home; each request is compared with all of them.
    package static let apiTokens = 64
    package static let tokenFileBytes = 256 << 10

    /// The lifetime of a link to the dashboard, and the maximum of unused links, which only one person requests.
    package static let loginCodeTime: Duration = .seconds(60)
    package static let loginCodes = 8

    /// How long a browser stays signed in, and the maximum of browsers; beyond it the oldest is signed out.
    package static let dashboardSessionDays: Int64 = 30
    package static let dashboardSessions = 8

    /// Wrong tokens of one address within a minute before it has to wait.
    package static let failuresInWindow = 30
    package static let failureWindow: Duration = .seconds(60)

    /// Addresses with counted failures; this machine has two.
    package static let failingAddresses = 64

    /// Answers kept for repeated requests, and their lifetime.
    package static let idempotencyKeys = 256
    package static let idempotencyTime: Duration = .seconds(24 * 3600)

    /// Bytes of an answer compressed in one slice of the loop: half a millisecond.
    package static let gzipStepBytes = 64 << 10
    /// Below it, an answer fits into one packet anyway.
    package static let gzipLeastBytes = 1_400

    /// Rows in one page; with bodies of 64 KiB some 32 MiB at worst.
    package static let apiPageRows: UInt64 = 500
}
