import SyncState

/// Every bound of this module, with its unit and the reason for the number.
package enum Limits {
    /// Bytes of one message: it has to fit a frame of 64 KiB.
    package static let messageBytes = 65_000
    /// Bytes of rows or of a blob in one message: what remains beside the other fields.
    static let payloadBytes = 56_000
    /// Pages that one question asks for: half a megabyte in flight covers a LAN's round trip.
    static let pullPages: UInt64 = 16
    /// Bytes of blobs asked for and not yet here, a session, at most…
    static let wantedBytesInFlight = 4 << 20
    /// …before it is known how fast they come…
    static let wantedBytesAtFirst = 256 << 10
    /// …and however slowly they come: some segments, so that the answers to one question carry the next…
    static let wantedBytesLeast = 64 << 10
    /// …and of so much time, since what is more wanted cannot overtake what a peer's kernel holds.
    static let wantedTime: Duration = .seconds(1)
    /// The same while messages are asked for, for which somebody may wait: ten milliseconds of a restore.
    static let wantedBytesWhileAsking = 512 << 10
    /// Blobs asked for and not yet here, a session: of the smallest ones the bytes alone would allow too many.
    static let wantsInFlight = 4_096
    /// Blobs asked for in one message.
    static let wantsPerMessage = 512
    /// Wants a peer may have queued here.
    static let servedWants = 65_536
    /// Pulls a peer may have queued here: one a lane.
    static let servedPulls = SyncState.Limits.lanes
    /// Candidates for wanting, kept in memory in the order of their priority.
    static let wantWindow = 2_048
    /// Times that the window is filled anew in one turn, where nobody can be asked for what stands in it.
    static let wantRefills = 16
    /// Blobs that a peer said it lacks; beyond, it is asked for no more until all are asked for again.
    static let lackedBlobs = 65_536
    /// How long a peer that was asked for blobs may give none before others are asked.
    static let blobPatience: Duration = .seconds(20)
    /// How long a peer that was asked for pages may give none before others are asked as well.
    static let pullPatience: Duration = .seconds(10)
    /// Bytes of each piece of a blob but the last: an endless drizzle is refused.
    static let blobPartBytes = 16_384
    /// Memory for questions of one peer that wait for their answers.
    static let questionBytes = 4 << 20
    /// What reading a row weighs in bytes sent, when work for a peer is measured: about the time of hashing it.
    static let scannedRowBytes: UInt64 = 16
    /// What a step weighs that sends nothing, in rows.
    static let servedStepRows: UInt64 = 2
    /// What looking up a message weighs that a peer misses, in rows: it may open a segment.
    static let findRows: UInt64 = 32
    /// Rows read in one turn to answer all peers: some milliseconds, so that commands are answered in between. Its
    /// sessions have equal parts of it…
    static let servedRowsPerTurn: UInt64 = 4_096
    /// …and each at least so many: those of 64.
    static let servedRowsLeast: UInt64 = 64
    /// Behind by more than this, the newest rows of a lane are asked for first.
    static let peekAbove: UInt64 = 512
    /// Newest rows of a lane that are asked for: some 2,000 messages, also where most segments hold only four.
    static let peekRows: UInt64 = 512
    /// How long a backlog waits for the newest blobs.
    static let peekPatience: Duration = .milliseconds(400)
    /// Rows of a range, of both sides together, that are named one by one.
    static let leafRows: UInt64 = 48
    /// Ways in which a differing range is split.
    static let rangeSplit: UInt64 = 16
    /// Rows named in one message: a leaf, or all the records that one seq can have.
    static let keysPerMessage = 2_048
    /// Rejected records after which a session is closed.
    static let rejectionsPerSession = 64
    /// Own records announced one by one; of more only the vector is sent, and the peers pull.
    static let announcedRecords = 64
    /// Bytes of a blob that travels with the announcement of its record: a segment of text, which is so readable after
    /// half a round trip and one commit. A longer one is asked for when the peer has room.
    static let announcedBlobBytes = 16_384
    /// Pings of one turn that are answered: more are no questions.
    static let pongsPerTurn = 16
    /// Silence after which a session is asked whether it lives.
    static let pingAfter: Duration = .seconds(45)
    /// Silence after which a session is given up.
    static let silenceBound: Duration = .seconds(120)
    /// Messages that one question names, and that are asked for in one turn: 34 KB.
    static let findsPerMessage = 1_024
    /// Messages that a new peer is asked for at once, the newest; the others are asked for when their time comes.
    static let findsPerSession = 4_096
    /// Messages looked up in one step of an answer: each may open a segment.
    static let findsPerStep = 16
    /// Messages of a question whose answers bring the blobs too: of more, each of several peers would send them all.
    static let findsWithBlobs = 16
    /// Before a message is asked for again: after each pause the next, at the end always the last.
    static let findPauses: [Duration] = [3, 6, 12, 24, 48, 96, 192, 300].map { .seconds($0) }
    /// How long beacons differ once something was asked for: three or four of them.
    static let askingWindow: Duration = .seconds(4)
    /// Wanted blobs looked through for stubs in one turn: each opens a record, 3 µs.
    static let scannedWants = 128
    /// Before that begins: a peer in reach says sooner where a message is.
    static let scanPatience: Duration = .milliseconds(250)
    /// Blobs asked for by the user that go before all others.
    static let raisedWants = 1_024
    /// Before a blob that no peer has is asked for again: first, and doubling each time.
    static let missingRetryLeast: Duration = .milliseconds(500)
    static let missingRetryMost: Duration = .seconds(30)
    /// Between handshake and HELLO.
    static let greetingBound: Duration = .seconds(10)
    /// The slow scrub waits until a node that was just started has done what it was started for.
    static let firstScrubAfter: Duration = .seconds(600)
    /// Between two steps of the slow scrub; with `scrubbedBlobs` a million messages take some hours.
    static let scrubPause: Duration = .seconds(5)
    static let scrubbedBlobs = 32
    /// Between two passes of the slow scrub.
    static let scrubInterval: Duration = .seconds(86_400)
    /// Before a store that failed is tried again.
    static let storeRetry: Duration = .seconds(5)
    /// After being taken up, how long a zone may be without a device before that is called offline: beacons take a
    /// moment.
    static let lookAround: Duration = .seconds(3)
    /// Between two samples of how fast blobs come, and how far back they tell: long enough for a number that can be
    /// read, short enough for one that is true.
    static let rateStep: Duration = .milliseconds(500)
    static let rateWindow: Duration = .seconds(5)
    /// Addresses with another version that are kept for display, and for how long after they showed it.
    static let otherVersions = 16
    static let otherVersionKept: Duration = .seconds(1_800)
    /// How long a peer counts as lacking what it showed to lack: it asks again every 30 s at the latest.
    static let shownLackBound: Duration = .seconds(60)
    /// Between two notes on the disk of what a device holds, when that changes and when it does not: it is for people.
    static let peerNotePause: Duration = .seconds(10)
    static let peerNoteInterval: Duration = .seconds(600)
    /// What shows in HELLO that its sender belongs to the zone: in groups a key of 32 bytes and its signature of 64.
    static let proofBytes = 96
    /// What a peer that is not known yet may say before it has shown that it belongs to the zone: its vector.
    static let heldMessages = 64
    /// The same in bytes, as they came: the vector of 4,096 lanes takes 320 KiB.
    static let heldBytes = 384 << 10
    /// Sessions of one rendezvous at a time: a few friends who join together.
    static let meetings = 16
    /// What a peer is told to wait for which there is no room.
    static let busyPause: Duration = .seconds(30)
    /// Sessions of one zone that stay open: all that a node has, and as many whose peers have not shown who they are.
    package static let sessionsPerZone = 128

    // MARK: Pairing

    /// How long a device that pairs can be seen, and the longest that a user may compare digits.
    package static let pairingTime: Duration = .seconds(120)
    /// Tries of one pairing: somebody in between has one guess in a million with each.
    package static let pairingTries = 3
    /// Sessions of a pairing at a time, and in all: devices in one room, and those of strangers who come too.
    static let pairingSessions = 8
    static let pairingSessionsInAll = 64
    /// Addresses that a device which pairs dials.
    static let pairingPlaces = 32
    /// Before such an address is dialled again.
    static let pairingRetry: Duration = .seconds(2)
    /// How long the only device in sight may stay the only one before it is taken to be the one that is meant.
    static let pairingLookAround: Duration = .seconds(1)
    /// For each step that waits for no user: two crossings, and a commit of the other device.
    static let pairingStep: Duration = .seconds(10)
    /// What a device calls itself, in bytes of UTF-8.
    package static let pairingNameBytes = 128
    /// An account's secret, or an invitation to a group of some 600 characters.
    package static let pairingSecretBytes = 2_048

    // MARK: Presence and dialling

    /// Longest beacon: below the 1,280 bytes that every IPv6 link carries unfragmented, headers taken off.
    package static let datagramBytes = 1_200
    /// Entries a beacon is padded to, so that its size tells only an order of magnitude.
    package static let paddedEntries = [4, 16, 64]
    /// Peers remembered from beacons, and sources of datagrams: more than a household or an office has on one link.
    package static let knownBeacons = 256
    package static let knownSources = 256
    /// An id lives 15 minutes: a passive listener cannot follow a device for longer by it.
    package static let idLifetime = Duration.seconds(900)
    /// A beacon's entry outlives its id a little; then the id has rotated anyway.
    package static let beaconExpiry = Duration.seconds(1_200)
    /// Own ids recognised after a rotation, for datagrams still in flight.
    package static let ownIDsRemembered = 4

    /// RFC 6206's parameters: fast enough for "about a second", slow enough for "under 100 B/s when idle".
    package static let trickleMinimum = Duration.milliseconds(500)
    package static let trickleMaximum = Duration.seconds(64)
    package static let trickleRedundancy = 3

    /// Who seeks speaks anew because of strangers no more often than that.
    package static let seekingPause = Duration.seconds(4)

    /// Keyed hashes a second spent on datagrams of unknown sources (about 2 % of a core), and as many at once.
    package static let strangerHashesPerSecond = 20_000
    /// The same for sources whose beacon was recognised lately: a flood of strangers never takes their share.
    package static let memberHashesPerSecond = 50_000
    /// Datagrams a second of one address, and at once: a host that runs many nodes on loopback stays below.
    package static let sourceDatagramsPerSecond = 32
    package static let sourceDatagramsBurst = 128

    /// Sessions a zone keeps standing, so that a change is visible in one round trip.
    package static let standingSessions = 8
    /// Sessions above which those that this node opened are given back. Well above the number wanted: who loses one
    /// looks for another, and would else take the next one's place, for ever.
    package static let keptSessions = 12
    /// Sessions and attempts of a zone when peers differ or blobs are wanted.
    package static let busySessions = 16
    /// Addresses known for one zone.
    package static let addressesPerZone = 256
    /// An address known from beacons only is forgotten after that silence. Trickle's suppression makes one node of
    /// fifty speak once in ten minutes.
    package static let addressExpiry = Duration.seconds(3_600)
    /// Back-off of one failing address.
    package static let backoffMinimum = Duration.seconds(1)
    package static let backoffMaximum = Duration.seconds(60)
    /// A device of another version is tried again that often: somebody has to update one of the two first.
    package static let otherVersionPause = Duration.seconds(600)
    /// The shell must report the outcome of an attempt before that; a lost report frees the place again.
    package static let attemptExpiry = Duration.seconds(30)
    /// A session made for a difference and no longer needed stays that long after both sides were equal.
    package static let surplusLinger = Duration.seconds(30)
    /// The longest pause a peer may ask for: a wrong or hostile number does not silence a zone for good.
    package static let busyMaximum = Duration.seconds(3_600)

    // MARK: Admission

    /// Connections that have not proved anything yet.
    package static let halfOpenConnections = 32
    /// Of these the ones for addresses at which a device was seen: two of them may come at once.
    package static let halfOpenConnectionsForKnown = 8
    /// The same from one address.
    package static let halfOpenConnectionsPerAddress = 4
    /// Sessions at a time; a node that serves many zones on purpose raises it.
    package static let sessions = 64
}
