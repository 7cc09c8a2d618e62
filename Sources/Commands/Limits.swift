import Chat
import SyncState

/// Every bound of the node's shells, in one place, with units and the reason for the number.
package enum Limits {
    /// One line of an import, in bytes: a body of 64 KiB may need six bytes a character in
    /// JSON (`\u001f`), and inline attachments come beside it.
    package static let inputLineBytes = 1 << 20

    /// Reply bytes that wait for a slow reader before its command is put on hold (an export streams through this).
    package static let replyBytes = 256 << 10

    /// Lines of an import in one durable commit; its acknowledgement leaves after it.
    package static let importBatchLines = 512

    /// Lines of an import parsed in one slice of the loop: about 2 ms of JSON.
    package static let importSliceLines = 64

    /// Bad lines of one import that are told one by one; the rest is only counted.
    package static let importComplaints = 1000

    /// Messages written to an export or a list in one slice of the loop.
    package static let exportSliceMessages = 100
    /// Wanted segments, the newest, that a list looks at for its gaps: some 10 ms. With more, a restore is under way.
    package static let gapRows = 2_048

    /// Hits that `message search` gives where nothing is said, and at most.
    package static let usualSearchHits = 100
    package static let searchHits = Chat.Limits.searchHits

    /// Segments that a search opens in one slice of the loop: about a millisecond.
    package static let searchSliceSegments = 64

    /// The list of contents of an archive or a backup: with 200 bytes a part, 5 GB of an archive's lines.
    package static let manifestBytes = 1 << 20

    /// Bytes of an archive or a backup that are read at once.
    package static let containerReadBytes = 128 << 10

    /// Pages (of 16 KiB) that a backup copies in one slice of the loop: about a millisecond.
    package static let backupSlicePages = 64

    /// Rows that `message list` gives at most in one call; more comes by `--before`.
    package static let messageListRows = 10_000

    /// Digits of a device's id that `device forget` asks for.
    package static let forgottenIDDigits = 8

    /// Between two words of `sync --wait` about how far it is: as fast as a bar can be looked at.
    package static let progressPause: Duration = .milliseconds(250)

    /// How often `status --watch` looks.
    package static let watchPause: Duration = .milliseconds(500)

    /// Records of segments that `explain` opens in one slice of the loop: about a millisecond.
    package static let explainSliceRows = 256

    /// How long `group join` waits for a member where nothing else is said, and how often it looks.
    package static let joinPatienceMilliseconds: UInt64 = 5_000
    package static let joinLook: Duration = .milliseconds(10)

    /// How long `doctor` waits for a datagram to return, a connection to stand, or a peer to answer.
    package static let doctorPatience: Duration = .milliseconds(800)

    /// Bytes of a store that `doctor` has SQLite look through while a node serves, which waits meanwhile: 0.1 s.
    package static let doctorStoreBytes = 64 << 20

    /// How far two clocks may be apart before `doctor` warns: days and expiries are told in minutes.
    package static let clockTolerance: Duration = .seconds(30)

    /// A file with a phrase: 24 words of at most 8 letters, with generous white space.
    package static let phraseFileBytes = 4096

    package static let farewellTime: Duration = .milliseconds(200)
    package static let lettingGoTime: Duration = .milliseconds(200)

    /// Entries of the change feed in one slice of the loop.
    package static let changesSlice = 256

    /// Entries that `events` looks at in one slice: each may open 25 segments, 0.1 ms each.
    package static let eventsSlice = 16

    /// How old a message may be of which `events` tells: what is older is history that came late.
    package static let noticeAge: Duration = .seconds(24 * 3600)

    /// How long before the day's end `events` tells of streaks that end with it, and how often it looks at the clock: a
    /// machine that slept is not woken by a time that went by.
    package static let streakWarning: Duration = .seconds(4 * 3600)
    package static let streakLook: Duration = .seconds(60)

    // MARK: Local API

    /// A request's target. The longest text is a page of a list's cursor, or a search.
    package static let httpTargetBytes = 8 << 10

    /// Header fields of one request: a browser sends some twenty.
    package static let httpHeaders = 64

    /// A request's body that is one document; a message has 64 KiB of text, and attachments.
    package static let httpBodyBytes = 1 << 20

    /// Bytes of a stream that wait for its reader before the command is put on hold; with 64 streams 16 MiB.
    package static let httpStreamBytes = 64 << 10

    /// Connections to the port that have shown no good token, where the oldest gives way: what eight turns of the loop
    /// accept, so that a program that says at once who it is has long done so.
    package static let unknownConnections = 128

    /// Connections to the port of those who showed a token, and one token's share: browsers open six at a time, the
    /// libraries of apps as many as they have requests. Both kinds are a quarter of the 1,024 files of a process.
    package static let knownConnections = 128
    package static let connectionsOfOne = 32

    /// Connections by the home's socket of either kind, beside those: others on the machine may hold all of the port's.
    package static let homeConnections = 32
    /// Of these, the ones that go on until they are interrupted: there is room for short commands beside them.
    package static let lastingHomeConnections = 24

    /// From the connection, or the answer before, until the head of the next request is here.
    package static let requestTime: Duration = .seconds(30)

    /// A body, or at least so many bytes of it, has to come within this time; then the time begins again.
    package static let bodyTime: Duration = .seconds(30)
    package static let bodyProgressBytes = 4 << 10

    /// How often connections that are waited for are looked through, while there are any.
    package static let lookInterval: Duration = .seconds(5)

    /// Streams of events at once: each is asked in every turn whether there is something new. And one token's share: a
    /// browser has one for each open page.
    package static let eventStreams = 64
    package static let eventStreamsOfOne = 16

    /// How often a stream shows that it lives: proxies and phones give up a silent connection after a minute or less.
    package static let eventBeat: Duration = .seconds(15)

    /// The same for an answer in lines. A caller that is gone shows with the second: a device may be let in meanwhile.
    package static let lineBeat: Duration = .seconds(5)

    /// How long a reader waits before it connects again.
    package static let eventRetryMilliseconds = 2_000

    /// A text given as a parameter, in Unicode scalars: a title, a cursor, words to search for.
    package static let apiTextCharacters = 1024

    /// One argument of a command line, in bytes.
    package static let sentArgumentBytes = 16 << 10

    /// How long a request may wait for something, in seconds: proxies give up after a minute.
    package static let apiWaitSeconds: UInt64 = 60

    /// Tokens of a home; each request is compared with all of them.
    package static let apiTokens = 64
    package static let tokenFileBytes = 256 << 10

    /// How long a link to the dashboard works, and how many are kept that nobody has used: one person asks for them.
    package static let loginCodeTime: Duration = .seconds(60)
    package static let loginCodes = 8

    /// How long a browser stays signed in, and how many may be: of more the oldest is signed out.
    package static let dashboardSessionDays: Int64 = 30
    package static let dashboardSessions = 8

    /// Wrong tokens of one address within a minute, after which it has to wait.
    package static let failuresInWindow = 30
    package static let failureWindow: Duration = .seconds(60)

    /// Addresses whose failures are counted; of this machine there are two.
    package static let failingAddresses = 64

    /// Answers that are kept for requests that come again, and for how long.
    package static let idempotencyKeys = 256
    package static let idempotencyTime: Duration = .seconds(24 * 3600)

    /// Rows in one page; with bodies of 64 KiB some 32 MiB at worst.
    package static let apiPageRows: UInt64 = 500
}
