import JSONLines

/// How the node stands: `GET /v1/status`.
public struct NodeStatus: Hashable, Sendable {
    /// `idle`, `syncing`, `synced`, `paused`, `waiting`, `error`: that of the account, of several the least good one;
    /// `stopped` where no node runs.
    public var state = ""
    public var deviceId: String?
    /// This device's name.
    public var name = ""
    public var version = ""
    /// The node's folder.
    public var home = ""
    /// How the program is called for this home.
    public var program = ""
    public var accounts: [AccountStatus] = []
    /// What is still to be done so that nothing is lost with this device, in a sentence.
    public var reminder: String?
    /// When the latest backup was made, in milliseconds since 1970.
    public var backupAt: Int?
    /// The devices that the node knows on the network.
    public var peers: [Peer] = []
    /// What is told only while the node runs.
    package var running: RunningNode?

    package init() {}

    /// `HOST:PORT` where other devices connect to.
    public var listen: String? { running?.listen }
}

/// How an account stands (docs/SYNC.md).
public struct AccountStatus: Hashable, Sendable {
    public var accountId = ""
    public var label = ""
    public var state = ""
    /// Why, where the state is `error`.
    public var reason: String?
    /// The state in a sentence that can be shown to people.
    public var sentence = ""
    /// Which devices have what, in a line.
    public var summary = ""
    /// What keeps the account from being whole on all devices.
    public var problems: [AccountProblem] = []
    /// All devices in reach hold the same, and nothing is missing.
    public var caughtUp = false
    /// Nil where the store is not open.
    package var store: StoreStatus?

    package init() {}

    /// Messages, and those of them that are not read. 0 where the store is not open, as the other counts.
    public var messages: Int { store?.messages ?? 0 }
    public var conversations: Int { store?.conversations ?? 0 }
    public var unread: Int { store?.unread ?? 0 }
    /// Messages whose bodies are not here yet.
    public var placeholders: Int { store?.placeholders ?? 0 }
    /// Bodies that are known and still to be fetched.
    public var wantedBlobs: Int { store?.wantedBlobs ?? 0 }
    /// Messages that wait for their segment: no other device has them yet.
    public var queued: Int { store?.queued ?? 0 }
    /// In milliseconds since 1970; nil: never.
    public var lastSyncedAt: Int? { store?.lastSyncedAt }
    /// One line of all that is held: devices that show the same one hold the same.
    public var zoneDigest: String? { store?.zoneDigest }
}

/// Something that keeps an account from being whole on all its devices, and what to do (docs/SYNC.md).
public struct AccountProblem: Hashable, Sendable {
    /// Stable, for programs. The set may grow.
    public var code = ""
    public var what = ""
    /// The name of the device that it is about; nil where it is this one.
    public var device: String?
    public var deviceId: String?
    public var remedy = ""

    package init() {}
}

/// Another node, as this one sees it.
public struct Peer: Hashable, Sendable {
    public var accountId = ""
    /// Nil until it has said who it is.
    public var deviceId: String?
    /// `HOST:PORT`; nil where it is not known any more.
    public var address: String?
    /// `static`, `beacon`, `remembered`, `incoming`; nil where that is not known any more.
    public var foundBy: String?
    /// `connected`, `connecting`, `known`, `unreachable`, `busy`
    public var state = ""
    /// Of a connected one: it holds the same.
    public var synced: Bool?
    public var roundTripMicroseconds: Int?
    /// Of one that is not connected: attempts that failed in a row.
    public var failures: Int?

    package init() {}
}

/// What `sync` found.
public struct SyncResult: Hashable, Sendable {
    /// All devices in reach hold the same.
    public var caughtUp = false
    /// Devices in reach.
    public var peers = 0

    package init() {}
}

/// What `background` did.
public struct BackgroundResult: Hashable, Sendable {
    /// Segments that were cut.
    public var segments = 0
    /// Devices that were connected until then.
    public var peers = 0
    /// Each of them has all of it.
    public var handedOver = false
    /// No database is held any more: the system may suspend the process.
    public var released = false

    package init() {}
}

// MARK: Fields

extension NodeStatus: Model {
    package static let modelName = "Status"

    package mutating func fields(_ field: inout FieldCoder) {
        field("state", &state)
        field("deviceId", &deviceId)
        field("name", &name)
        field("version", &version)
        field("home", &home)
        field("program", &program)
        field("accounts", &accounts)
        field("reminder", &reminder)
        field("backupAt", &backupAt)
        field("peers", &peers)
        field.together(&running, by: "pid")
    }
}

/// Of a node that runs.
package struct RunningNode: Model {
    package var pid = 0
    package var listen: String?
    /// `HOST:PORT` of the local API.
    package var api: String?
    /// Where other devices may find it.
    package var addresses: [String] = []
    package var refused = Refusals()
    /// Beacons of others than the own devices.
    package var foreignBeacons = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("pid", &pid)
        field("listen", &listen)
        field("api", &api)
        field("addresses", &addresses)
        field("refused", &refused)
        field("foreignBeacons", &foreignBeacons)
    }
}

/// How often what was refused since the start.
package struct Refusals: Model {
    package var strangers = 0
    package var malformed = 0
    package var timeouts = 0
    package var aborted = 0
    package var tooMany = 0
    package var records = 0
    package var blobs = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("strangers", &strangers)
        field("malformed", &malformed)
        field("timeouts", &timeouts)
        field("aborted", &aborted)
        field("tooMany", &tooMany)
        field("records", &records)
        field("blobs", &blobs)
    }

    /// By their names, in the order of these.
    package var counts: [(name: String, count: Int)] {
        jsonFields.sorted { $0.key < $1.key }.map { ($0.key, Int($0.value.integer ?? 0)) }
    }
}

extension AccountStatus: Model {
    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("label", &label)
        field("state", &state)
        field("reason", &reason)
        field("sentence", &sentence)
        field("summary", &summary)
        field("problems", &problems)
        field("caughtUp", &caughtUp)
        field.together(&store, by: "messages")
    }
}

/// How an account's open store stands.
package struct StoreStatus: Model {
    package var deviceId = ""
    /// In milliseconds since 1970, as all times: since when the state is so, and when it is tried again.
    package var since: Int?
    package var until: Int?
    package var lastChangeAt: Int?
    /// Which device speaks another version, in a sentence.
    package var update: String?
    package var progress = RestoreProgress()
    package var devices: [DeviceStatus] = []
    package var messages = 0
    package var conversations = 0
    package var unread = 0
    package var segments = 0
    package var queued = 0
    package var wantedBlobs = 0
    package var placeholders = 0
    package var records = 0
    package var zoneDigest = ""
    package var lastSyncedAt: Int?
    package var unreadableSegments = 0
    package var unknownRecords = 0
    /// Names the account on a command line; nil where there is no other.
    package var accountOption: String?
    package var phraseConfirmed = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("since", &since)
        field("until", &until)
        field("lastChangeAt", &lastChangeAt)
        field("update", &update)
        field("progress", &progress)
        field("devices", &devices)
        field("messages", &messages)
        field("conversations", &conversations)
        field("unread", &unread)
        field("segments", &segments)
        field("queued", &queued)
        field("wantedBlobs", &wantedBlobs)
        field("placeholders", &placeholders)
        field("records", &records)
        field("zoneDigest", &zoneDigest)
        field("lastSyncedAt", &lastSyncedAt)
        field("unreadableSegments", &unreadableSegments)
        field("unknownRecords", &unknownRecords)
        field("accountOption", &accountOption)
        field("phraseConfirmed", &phraseConfirmed)
    }
}

/// How far an account's restore is.
package struct RestoreProgress: Model {
    package var messagesHere = 0
    package var messagesWanted = 0
    package var bytesHere = 0
    package var bytesWanted = 0
    package var blobsWanted = 0
    package var bytesPerSecond = 0
    package var messagesPerSecond = 0
    package var secondsLeft: Int?
    /// Days back from the newest message: those whose history is here, and all that are known of.
    package var daysHere: Int?
    package var daysKnown: Int?
    /// All that is newer is here; in seconds since 1970.
    package var completeFrom: Int?
    package var percent: Int?
    /// Records are still coming, so that more will be wanted than is known of.
    package var counting = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("messagesHere", &messagesHere)
        field("messagesWanted", &messagesWanted)
        field("bytesHere", &bytesHere)
        field("bytesWanted", &bytesWanted)
        field("blobsWanted", &blobsWanted)
        field("bytesPerSecond", &bytesPerSecond)
        field("messagesPerSecond", &messagesPerSecond)
        field("secondsLeft", &secondsLeft)
        field("daysHere", &daysHere)
        field("daysKnown", &daysKnown)
        field("completeFrom", &completeFrom)
        field("percent", &percent)
        field("counting", &counting)
    }
}

/// A device of an account, and what of it is here.
package struct DeviceStatus: Model {
    package var deviceId = ""
    package var name: String?
    package var thisDevice = false
    package var connected = false
    /// Connected, and it holds all that this one holds.
    package var level = false
    package var seenAt: Int?
    package var holdsUpTo: Int?
    /// What it wrote that is still to come.
    package var wantedBlobs = 0
    package var wantedMessages = 0
    package var wantedBytes = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("name", &name)
        field("thisDevice", &thisDevice)
        field("connected", &connected)
        field("level", &level)
        field("seenAt", &seenAt)
        field("holdsUpTo", &holdsUpTo)
        field("wantedBlobs", &wantedBlobs)
        field("wantedMessages", &wantedMessages)
        field("wantedBytes", &wantedBytes)
    }
}

extension AccountProblem: Model {
    package mutating func fields(_ field: inout FieldCoder) {
        field("code", &code)
        field("what", &what)
        field("device", &device)
        field("deviceId", &deviceId)
        field("remedy", &remedy)
    }
}

extension Peer: Model {
    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("deviceId", &deviceId)
        field("address", &address)
        field("foundBy", &foundBy)
        field("state", &state)
        field.optional("synced", &synced)
        field.optional("roundTripMicroseconds", &roundTripMicroseconds, asNull: synced != nil)
        field.optional("failures", &failures)
    }
}

extension SyncResult: Model {
    package static let modelName = "Synced"

    package mutating func fields(_ field: inout FieldCoder) {
        field("caughtUp", &caughtUp)
        field("peers", &peers)
    }
}

extension BackgroundResult: Model {
    package static let modelName = "Background"

    package mutating func fields(_ field: inout FieldCoder) {
        field("segments", &segments)
        field("peers", &peers)
        field("handedOver", &handedOver)
        field("released", &released)
    }
}

/// The answer to `foreground`.
package struct Foreground: Model {
    package var listen: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) { field("listen", &listen) }
}
