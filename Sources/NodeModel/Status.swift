import JSONLines

/// The node's state: `GET /v1/status`.
public struct NodeStatus: Model, Hashable, Sendable {
    package static let modelName = "Status"
    /// `idle`, `syncing`, `synced`, `paused`, `waiting` or `error`: the account's state, the worst one of several
    /// accounts; `stopped` if no node runs.
    public var state = ""
    /// The gravest verdict of the accounts; nil if there are none.
    public var verdict: Verdict?
    public var deviceId: String?
    /// This device's name.
    public var name = ""
    public var version = ""
    /// The node's folder.
    public var home = ""
    /// The command line that runs the program on this home.
    public var program = ""
    public var accounts: [AccountStatus] = []
    /// The groups that the user is in or waits for, or was removed from; nil for a token that may not read groups.
    public var groups: [GroupStatus]?
    /// A sentence about data that would be lost with this device; nil if there is none.
    public var reminder: String?
    /// The time of the latest backup, in milliseconds since 1970.
    public var backupAt: Int?
    /// The devices known on the network.
    public var peers: [Peer] = []
    /// Nil unless the node runs.
    package var running: RunningNode?

    package init() {}

    /// `HOST:PORT` at which other devices connect.
    public var listen: String? { running?.listen }

    package mutating func fields(_ field: inout FieldCoder) {
        field("state", &state)
        field("verdict", &verdict)
        field("deviceId", &deviceId)
        field("name", &name)
        field("version", &version)
        field("home", &home)
        field("program", &program)
        field("accounts", &accounts)
        field.optional("groups", &groups)
        field("reminder", &reminder)
        field("backupAt", &backupAt, .time)
        field("peers", &peers)
        field.together(&running, by: "pid")
    }
}

/// An account's state (docs/SYNC.md).
public struct AccountStatus: Model, Hashable, Sendable {
    public var accountId = ""
    public var label = ""
    /// What is true of the account's data on its devices; the other statements follow from it.
    public var verdict = Verdict.error
    /// The missing data, the largest part first; empty if nothing is missing.
    public var missing: [MissingPart] = []
    public var state = ""
    /// The reason for the state `error`.
    public var reason: String?
    /// The state in a sentence for people.
    public var sentence = ""
    /// The verdict in one sentence.
    public var summary = ""
    /// Obstacles to the account being whole on all devices.
    public var problems: [AccountProblem] = []
    /// True if all devices in reach hold the same, and nothing is on its way.
    public var caughtUp = false
    /// Nil if the store is not open.
    package var store: StoreStatus?

    package init() {}

    /// 0 if the store is not open, as the other counts.
    public var messages: Int { store?.messages ?? 0 }
    public var conversations: Int { store?.conversations ?? 0 }
    public var unread: Int { store?.unread ?? 0 }
    /// Messages without their bodies yet.
    public var placeholders: Int { store?.placeholders ?? 0 }
    /// Known blobs still to be fetched.
    public var wantedBlobs: Int { store?.wantedBlobs ?? 0 }
    /// Messages not archived yet: no other device has them.
    public var queued: Int { store?.queued ?? 0 }
    /// In milliseconds since 1970; nil for never.
    public var lastSyncedAt: Int? { store?.lastSyncedAt }
    /// A digest of all held data: devices with equal digests hold the same.
    public var zoneDigest: String? { store?.zoneDigest }

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("label", &label)
        field("verdict", &verdict)
        field("missing", &missing)
        field("state", &state)
        field("reason", &reason)
        field("sentence", &sentence)
        field("summary", &summary)
        field("problems", &problems)
        field("caughtUp", &caughtUp)
        field.together(&store, by: "messages")
    }
}

/// How a group stands on this device (docs/SYNC.md, §1).
public struct GroupStatus: Model, Hashable, Sendable {
    public var groupId = ""
    public var accountId = ""
    public var title = ""
    /// As in `Group`.
    public var state = ""
    /// As in `Group`.
    public var verdict: Verdict?
    /// Devices in reach.
    public var connected = 0
    /// The verdict in one sentence, or what the user waits for.
    public var summary = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("groupId", &groupId)
        field("accountId", &accountId)
        field("title", &title)
        field("state", &state)
        field("verdict", &verdict)
        field("connected", &connected)
        field("summary", &summary)
    }
}

/// An obstacle to an account being whole on all its devices, and the remedy (docs/SYNC.md).
public struct AccountProblem: Model, Hashable, Sendable {
    /// A stable word for programs. The set may grow.
    public var code = ""
    public var what = ""
    /// The name of the other device concerned; nil for this one.
    public var device: String?
    public var deviceId: String?
    public var remedy = ""
    /// The commands of the program for it, in backticks; nil if there are none.
    package var command: String?

    package init() {}

    /// The remedy for a reader who can run commands.
    package var advice: String { remedy + (command.map { ": " + $0 } ?? "") }

    /// True if it concerns who belongs to the account: `status` says it in words, too.
    package var isOfLedger: Bool { LedgerProblem(rawValue: code) != nil }

    package mutating func fields(_ field: inout FieldCoder) {
        field("code", &code)
        field("what", &what)
        field("device", &device)
        field("deviceId", &deviceId)
        field("remedy", &remedy)
        field("command", &command)
    }
}

/// The codes of problems with who belongs to an account.
package enum LedgerProblem: String, CaseIterable {
    case manyDevices, manyDevicesInGroup, manyRemovals, longWay, noWay, recoveryKey, renewed, rotationDue,
        waitingRecords
}

/// Another node, as this one sees it.
public struct Peer: Model, Hashable, Sendable {
    public var accountId = ""
    /// Nil until it has authenticated.
    public var deviceId: String?
    /// The device's name; nil if its record is not here.
    public var name: String?
    /// `HOST:PORT`; nil if it is no longer known.
    public var address: String?
    /// `static`, `beacon`, `remembered` or `incoming`; nil if it is no longer known.
    public var foundBy: String?
    /// `connected`, `connecting`, `known`, `unreachable` or `busy`.
    public var state = ""
    /// True if it holds the same; nil unless it is connected.
    public var synced: Bool?
    public var roundTripMicroseconds: Int?
    /// Failed attempts in a row; nil if it is connected.
    public var failures: Int?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("deviceId", &deviceId)
        field("name", &name)
        field("address", &address)
        field("foundBy", &foundBy)
        field("state", &state)
        field.optional("synced", &synced)
        field.optional("roundTripMicroseconds", &roundTripMicroseconds, asNull: synced != nil)
        field.optional("failures", &failures)
    }
}

/// The part of the status that only a running node has.
package struct RunningNode: Model {
    package var pid = 0
    package var listen: String?
    /// `HOST:PORT` of the local API.
    package var api: String?
    /// Addresses at which other devices may find it.
    package var addresses: [String] = []
    package var refused = Refusals()
    /// Beacons of devices that are not the person's own.
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

/// Counts of refusals since the start.
package struct Refusals: Model {
    /// No key of ours opens their first message, or their HELLO is wrong: another account's node, somebody who was
    /// removed, or no node at all.
    package var strangers = 0
    /// Bytes that are not a frame.
    package var malformed = 0
    /// Sent nothing, or too slowly.
    package var timeouts = 0
    /// Closed in the middle.
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

    /// The counts in the order of their names.
    package var counts: [(name: String, count: Int)] {
        jsonFields.sorted { $0.key < $1.key }.map { ($0.key, Int($0.value.integer ?? 0)) }
    }
}

/// The part of an account's status that needs its open store.
package struct StoreStatus: Model {
    package var deviceId = ""
    /// The start of the present state, and the next attempt; all times are in milliseconds since 1970.
    package var since: Int?
    package var until: Int?
    package var lastChangeAt: Int?
    /// A sentence about devices with another protocol version.
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
    /// Names the account on a command line; nil if it is the only one.
    package var accountOption: String?
    /// The recovery phrase waits here to be written down; afterwards no device has it.
    package var phraseOnDevice = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("since", &since, .time)
        field("until", &until, .time)
        field("lastChangeAt", &lastChangeAt, .time)
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
        field("lastSyncedAt", &lastSyncedAt, .time)
        field("unreadableSegments", &unreadableSegments)
        field("unknownRecords", &unknownRecords)
        field("accountOption", &accountOption)
        field("phraseOnDevice", &phraseOnDevice)
    }
}

/// The progress of an account's restore.
package struct RestoreProgress: Model {
    package var messagesHere = 0
    package var messagesWanted = 0
    package var bytesHere = 0
    package var bytesWanted = 0
    package var blobsWanted = 0
    package var bytesPerSecond = 0
    package var messagesPerSecond = 0
    package var secondsLeft: Int?
    /// Days back from the newest message: those with all their history here, and all known ones.
    package var daysHere: Int?
    package var daysKnown: Int?
    /// All newer messages are here; in milliseconds since 1970.
    package var completeFrom: Int?
    package var percent: Int?
    /// True while records still arrive, so the wanted counts will grow.
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
        field("completeFrom", &completeFrom, .time)
        field("percent", &percent)
        field("counting", &counting)
    }
}

/// A device of an account, and its data still to come.
package struct DeviceStatus: Model {
    package var deviceId = ""
    package var name: String?
    package var thisDevice = false
    package var connected = false
    /// True if it is connected and holds everything that this device holds.
    package var level = false
    package var seenAt: Int?
    package var holdsUpTo: Int?
    /// How much of the content known here it holds at least, in percent of the bytes; nil if that is unknown.
    package var holdsPercent: Int?
    /// Written by it and still to come.
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
        field("seenAt", &seenAt, .time)
        field("holdsUpTo", &holdsUpTo, .time)
        field("holdsPercent", &holdsPercent)
        field("wantedBlobs", &wantedBlobs)
        field("wantedMessages", &wantedMessages)
        field("wantedBytes", &wantedBytes)
    }
}
