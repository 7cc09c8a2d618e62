import SyncState

/// The limits of this module, each with its unit and reason.
package enum Limits {
    /// Bytes of one message: it must fit a frame of 64 KiB.
    package static let messageBytes = 65_000
    /// Bytes of rows or of a blob in one message; the rest is for the other fields.
    static let payloadBytes = 56_000
    /// Control records that are taken together: some 10,000. They are judged with each other, whatever their order.
    static let ledgerBytes = 2 << 20
    /// Names of control records in one message, of 17 bytes each.
    static let namesInMessage = payloadBytes / 17
    /// Time for two ends to exchange their control records: 2 MB over a slow radio link.
    static let ledgerBound: Duration = .seconds(30)
    /// Pages that one pull requests: half a megabyte in flight covers a LAN's round trip.
    static let pullPages: UInt64 = 16
    /// Maximum bytes of requested blobs in flight per session…
    static let wantedBytesInFlight = 4 << 20
    /// …before the rate is known…
    static let wantedBytesAtFirst = 256 << 10
    /// …and the minimum at low rates: some segments, so that the answers to one request carry the next…
    static let wantedBytesLeast = 64 << 10
    /// …and the time it should cover: a more urgent blob cannot overtake what a peer's kernel holds.
    static let wantedTime: Duration = .seconds(1)
    /// The same while messages are being searched for, which somebody may be waiting for: ten milliseconds of a
    /// restore.
    static let wantedBytesWhileAsking = 512 << 10
    /// Maximum number of requested blobs in flight per session: of the smallest ones, the limit in bytes alone would
    /// allow too many.
    static let wantsInFlight = 4_096
    /// Blobs requested in one message.
    static let wantsPerMessage = 512
    /// Blob requests a peer may have queued here.
    static let servedWants = 65_536
    /// Pulls a peer may have queued here: one per lane.
    static let servedPulls = SyncState.Limits.lanes
    /// Candidates for requesting, kept in memory in order of priority.
    static let wantWindow = 2_048
    /// Maximum refills of the window in one turn, if no peer can supply what it contains.
    static let wantRefills = 16
    /// Blobs that a peer said it lacks. Beyond this number, it gets no further requests until all blobs are requested
    /// again.
    static let lackedBlobs = 65_536
    /// How long a peer may deliver no requested blob before others are asked.
    static let blobPatience: Duration = .seconds(20)
    /// How long a peer may deliver no requested page before others are asked too.
    static let pullPatience: Duration = .seconds(10)
    /// How long a peer is not asked for a lane of which it showed a head without a row: this times how often it did.
    static let promisePause: Duration = .seconds(1)
    static let promisePauseMost: Duration = .seconds(60)
    /// Size of each piece of a blob except the last: prevents a peer from sending endless tiny pieces.
    static let blobPartBytes = 16_384
    /// Memory for one peer's questions that wait for answers.
    static let questionBytes = 4 << 20
    /// The cost of reading a row, in bytes sent, when work for a peer is measured: about the time of hashing it.
    static let scannedRowBytes: UInt64 = 16
    /// The cost of a step that sends nothing, in rows.
    static let servedStepRows: UInt64 = 2
    /// The cost of looking up a message for a peer, in rows: it may open a segment.
    static let findRows: UInt64 = 32
    /// Rows read in one turn to answer all peers: some milliseconds, so that commands are answered in between. Sessions
    /// share it equally…
    static let servedRowsPerTurn: UInt64 = 4_096
    /// …and each gets at least this many, as if there were 64 sessions.
    static let servedRowsLeast: UInt64 = 64
    /// If a lane is further behind than this, its newest rows are requested first.
    static let peekAbove: UInt64 = 512
    /// Number of newest rows to request of a lane: some 2,000 messages, even if most segments hold only four.
    static let peekRows: UInt64 = 512
    /// How long a backlog waits for the newest blobs.
    static let peekPatience: Duration = .milliseconds(400)
    /// If both sides together have no more rows than this in a range, the rows are named one by one.
    static let leafRows: UInt64 = 48
    /// Number of parts into which a differing range is split.
    static let rangeSplit: UInt64 = 16
    /// Rows named in one message: a leaf, or all records that one seq can have.
    static let keysPerMessage = 2_048
    /// Rows read to answer a range, beyond which the peer asks again: their names fit a message, even if the last seq
    /// has as many as it can have.
    static let rowsPerAnswer = UInt64(keysPerMessage - SyncState.Limits.forksPerSeq)
    /// Time without a message about healing after which a lane that still differs is compared again.
    static let healPause: Duration = .seconds(1)
    /// Rejected records after which a session is closed.
    static let rejectionsPerSession = 64
    /// Own records announced one by one; if there are more, only the vector is sent and the peers pull.
    static let announcedRecords = 64
    /// Maximum size of a blob sent with the announcement of its record: a text segment, which is then readable after
    /// half a round trip and one commit. A longer one is requested when the peer has room.
    static let announcedBlobBytes = 16_384
    /// Pings answered in one turn; further ones are ignored.
    static let pongsPerTurn = 16
    /// After this silence, a session is pinged.
    static let pingAfter: Duration = .seconds(45)
    /// After this silence, a session is given up.
    static let silenceBound: Duration = .seconds(120)
    /// Messages named in one find request, and requested in one turn: 34 KB.
    static let findsPerMessage = 1_024
    /// Newest missing messages requested from a new peer at once; the others are requested when they are due.
    static let findsPerSession = 4_096
    /// Messages looked up in one step of an answer: each may open a segment.
    static let findsPerStep = 16
    /// If a request names at most this many messages, the answers include the blobs; otherwise several peers would each
    /// send them all.
    static let findsWithBlobs = 16
    /// Pauses before a message is requested again: one after the other, then the last one repeatedly.
    static let findPauses: [Duration] = [3, 6, 12, 24, 48, 96, 192, 300].map { .seconds($0) }
    /// How long beacons show a different digest after a request: three or four beacons.
    static let askingWindow: Duration = .seconds(4)
    /// Wanted blobs searched for stubs in one turn: each opens a record, 3 µs.
    static let scannedWants = 128
    /// Delay before that search: a peer in reach says sooner where a message is.
    static let scanPatience: Duration = .milliseconds(250)
    /// Blobs requested by the user that precede all others.
    static let raisedWants = 1_024
    /// Pause before a blob that no peer has is requested again; it doubles each time.
    static let missingRetryLeast: Duration = .milliseconds(500)
    static let missingRetryMost: Duration = .seconds(30)
    /// The version of the protocol that this program speaks, and all that it does.
    package static let protocolVersion: UInt16 = 3
    package static let protocolVersions = [protocolVersion]
    /// Versions that a HELLO may name.
    static let versionsInHello = 16
    /// Time that an initiator allows between handshake and HELLO: the responder may have to judge vouchers first.
    static let greetingBound: Duration = .seconds(10)
    /// Time that a responder allows for HELLO, and then for vouchers: nothing delays them.
    static let firstWordBound: Duration = .seconds(3)
    /// The slow scrub waits until a node that was just started has done its actual work.
    static let firstScrubAfter: Duration = .seconds(600)
    /// Pause between two steps of the slow scrub; with `scrubbedBlobs`, a million messages take some hours.
    static let scrubPause: Duration = .seconds(5)
    static let scrubbedBlobs = 32
    /// Pause between two passes of the slow scrub.
    static let scrubInterval: Duration = .seconds(86_400)
    /// Pause before a failed store is tried again.
    static let storeRetry: Duration = .seconds(5)
    /// One that fails again this soon after it worked waits twice as long, up to 40 s.
    static let storeCalm: Duration = .seconds(60)
    static let storeRetryDoublings = 3
    /// How long a newly served zone may be without a device before its state becomes offline: beacons take a moment.
    static let lookAround: Duration = .seconds(3)
    /// Interval between two samples of the blob rate, and the time they cover: long enough for a readable number, short
    /// enough for a true one.
    static let rateStep: Duration = .milliseconds(500)
    static let rateWindow: Duration = .seconds(5)
    /// Addresses of other versions kept for display, and for how long after they last showed it.
    static let otherVersions = 16
    static let otherVersionKept: Duration = .seconds(1_800)
    /// How long a peer counts as lacking something after it showed that it does: it asks again every 30 s at the
    /// latest.
    static let shownLackBound: Duration = .seconds(60)
    /// Intervals for writing to disk how far a device has synced, with and without changes: people read it.
    static let peerNotePause: Duration = .seconds(10)
    static let peerNoteInterval: Duration = .seconds(600)
    /// How long a device in reach may differ and come no nearer before it no longer counts as syncing…
    static let stallBound: Duration = .seconds(60)
    /// …where this many rows that it took count as coming nearer: a slow one takes more in that time.
    static let stallRows: UInt64 = 256
    /// The longest time between two looks that counts: the machine may have slept.
    static let stallStep: Duration = .seconds(1)
    /// Size of the proof in HELLO as it is read; HELLO counts only if the proof is empty (PROTOCOL §8).
    static let proofBytes = 96
    /// Messages held for a peer that has not yet shown that it belongs to the zone: its vector.
    static let heldMessages = 64
    /// The same in bytes: the vector of 4,096 lanes takes 320 KiB.
    static let heldBytes = 384 << 10
    /// Simultaneous sessions of one rendezvous: a few friends who join together.
    static let meetings = 16
    /// The wait that is suggested to a peer for lack of room.
    static let busyPause: Duration = .seconds(30)
    /// Open sessions of one zone: the node's maximum, plus those whose peers have not identified themselves yet.
    package static let sessionsPerZone = sessions + greetingConnections + waitingConnectionsForKnown
    /// Sessions with other runs of a device whose session begins: the end of one may not have been noticed yet.
    static let runsOfDevice = 2

    // MARK: Pairing

    /// How long a pairing device is visible, and the longest time a user may compare digits.
    package static let pairingTime: Duration = .seconds(120)
    /// Attempts per pairing: an attacker in the middle has one guess in a million with each.
    package static let pairingTries = 3
    /// Simultaneous and total sessions of a pairing: devices in one room, and those of strangers who connect too.
    static let pairingSessions = 8
    static let pairingSessionsInAll = 64
    /// Addresses that a pairing device dials.
    static let pairingPlaces = 32
    /// Pause before such an address is dialled again.
    static let pairingRetry: Duration = .seconds(2)
    /// How long only one device must be in sight before it is chosen automatically.
    static let pairingLookAround: Duration = .seconds(1)
    /// Time for each step that waits for no user: two crossings, and a commit of the other device.
    static let pairingStep: Duration = .seconds(10)
    /// Longest device name, in bytes of UTF-8.
    package static let pairingNameBytes = 128
    /// Longest secret: a path of control records into an account, or a group's token of 300 characters.
    package static let pairingSecretBytes = 16 << 10

    // MARK: Presence and dialling

    /// Entry counts to which a beacon is padded, so that its size only shows an order of magnitude. The longest beacon
    /// is below the 1,280 bytes that every IPv6 link carries unfragmented, minus headers.
    package static let paddedEntries = [4, 16, 64]
    /// Peers remembered from beacons, and sources of datagrams: more than a household or office has on one link.
    package static let knownBeacons = 256
    package static let knownSources = 256
    /// How long after a start, a wake-up or a change of network beacons speak of older keys, too: two devices that know
    /// each other by these alone find each other in a few intervals of a beacon.
    package static let changeTime = Duration.seconds(600)
    /// An id lives 15 minutes, so that a passive listener cannot track a device with it for longer.
    package static let idLifetime = Duration.seconds(900)
    /// A beacon's entry outlives its id a little; the id has rotated before.
    package static let beaconExpiry = Duration.seconds(1_200)
    /// Our previous ids that are still recognised after a rotation, for datagrams in flight.
    package static let ownIDsRemembered = 4
    /// Echoes in one beacon: those of a household, or of a device with which several zones are shared.
    package static let echoes = 16
    /// Versions of beacons in which our tags are looked for, so that a user learns which device to update.
    static let recognisedBeacons: ClosedRange<UInt8> = 1...15
    /// How long the end with the higher id leaves dialling to the other one.
    package static let secondDialWait: ClosedRange<Duration> = .milliseconds(2_000) ... .milliseconds(3_000)

    /// RFC 6206's parameters: fast enough for "about a second", slow enough for "under 100 B/s when idle".
    package static let trickleMinimum = Duration.milliseconds(500)
    package static let trickleMaximum = Duration.seconds(64)
    package static let trickleRedundancy = 3

    /// A seeking node resets its timer because of strangers at most this often.
    package static let seekingPause = Duration.seconds(4)

    /// Keyed hashes per second spent on datagrams of all sources, and the burst: at most a third of a core. A node with
    /// one zone judges 133,000 datagrams a second: few floods that the kernel delivers hide a beacon from it.
    package static let commonHashesPerSecond = 400_000
    /// The same for sources whose beacon was recognised lately: a flood from invented addresses never takes them.
    package static let memberHashesPerSecond = 50_000
    /// Datagrams per second from one address once half of the common hashes are used, and the burst: a host with many
    /// nodes on loopback stays below.
    package static let sourceDatagramsPerSecond = 32
    package static let sourceDatagramsBurst = 128

    /// Sessions a zone keeps open, so that a change is visible in one round trip.
    package static let standingSessions = 8
    /// Above this number, sessions that this node opened are released. It is well above the number wanted: a node that
    /// loses a session looks for another, and would otherwise displace the next one, for ever.
    package static let keptSessions = 12
    /// Sessions and attempts of a zone while peers differ or blobs are missing.
    package static let busySessions = 16
    /// Known addresses of one zone.
    package static let addressesPerZone = 256
    /// An address known only from beacons is forgotten after this silence. Trickle's suppression makes one node of
    /// fifty speak once in ten minutes.
    package static let addressExpiry = Duration.seconds(3_600)
    /// Back-off of one failing address.
    package static let backoffMinimum = Duration.seconds(1)
    package static let backoffMaximum = Duration.seconds(60)
    /// Pause before a device with another version is tried again: somebody must update one of the two first.
    package static let otherVersionPause = Duration.seconds(600)
    /// The shell must report the outcome of an attempt within this time; after that, a lost report frees the place.
    package static let attemptExpiry = Duration.seconds(30)
    /// A session opened for a difference and no longer needed stays open this long after both sides became equal.
    package static let surplusLinger = Duration.seconds(30)
    /// The longest pause a peer may request: a wrong or hostile number must not silence a zone for good.
    package static let busyMaximum = Duration.seconds(3_600)

    // MARK: Admission

    /// Connections that wait for their first message: many, since each costs a descriptor and nothing else.
    package static let silentConnections = 256
    /// Connections whose peer holds a key, and has not said HELLO yet.
    package static let greetingConnections = 32
    /// The same, in each case, for addresses where a device was met or heard.
    package static let waitingConnectionsForKnown = 8
    /// Simultaneous sessions; a node that deliberately serves many zones raises it.
    package static let sessions = 64
}
