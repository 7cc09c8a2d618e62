/// Data for a bug report: no names, no addresses, no messages, no secrets. Short hashes name devices and accounts.
/// Times are milliseconds since 1970.
package struct Diagnostics: Model {
    package var version = ""
    package var protocolVersion = 0
    package var sqlite = ""
    package var state = ""
    package var startedAt = 0
    package var errors: [ErrorCount] = []
    package var accounts: [AccountDiagnosis] = []
    package var interfaces: [Interface] = []
    /// Nil if no node runs, as `foreignBeacons`.
    package var refused: Refusals?
    package var foreignBeacons: Int?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("version", &version)
        field("protocolVersion", &protocolVersion)
        field("sqlite", &sqlite)
        field("state", &state)
        field("startedAt", &startedAt, .time)
        field("errors", &errors)
        field("accounts", &accounts)
        field("interfaces", &interfaces)
        field.optional("refused", &refused)
        field.optional("foreignBeacons", &foreignBeacons)
    }

    /// Occurrences of one kind of error since the node started.
    package struct ErrorCount: Model {
        package var code = ""
        package var count = 0
        package var firstAt = 0
        package var lastAt = 0

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("code", &code)
            field("count", &count)
            field("firstAt", &firstAt, .time)
            field("lastAt", &lastAt, .time)
        }
    }

    /// Counts of beacons on a network interface.
    package struct Interface: Model {
        package var name = ""
        package var ways: [Way] = []

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("name", &name)
            field("ways", &ways)
        }

        package struct Way: Model {
            package static let modelName = "BeaconWay"
            package var way = ""
            package var sent = 0
            package var failed = 0
            package var received = 0
            package var ownReturned = 0
            package var error: String?

            package init() {}

            package mutating func fields(_ field: inout FieldCoder) {
                field("way", &way)
                field("sent", &sent)
                field("failed", &failed)
                field("received", &received)
                field("ownReturned", &ownReturned)
                field("error", &error)
            }
        }
    }
}

package struct AccountDiagnosis: Model {
    package var account = ""
    package var state = ""
    /// The code of the account's fault.
    package var code: String?
    /// Nil if the store is not open.
    package var opened: Opened?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("account", &account)
        field("state", &state)
        field("code", &code)
        field.together(&opened, by: "caughtUp")
    }

    package struct Opened: Model {
        /// One word for what the account waits for.
        package var obstacle: String?
        package var since: Int?
        package var until: Int?
        package var lastSyncedAt: Int?
        package var caughtUp = false
        package var messages = 0
        package var conversations = 0
        package var unread = 0
        package var placeholders = 0
        package var queue = 0
        package var unflushed = 0
        package var progress = RestoreProgress()
        package var store = Store()
        package var lanes: [Lane] = []
        package var devices: [Device] = []
        package var unknownRecords = 0
        package var unreadableSegments = 0
        package var newerSegments: [NewerSegments] = []
        /// Messages with several bodies; all devices show the same one.
        package var conflicts = 0
        /// Refused records by reason.
        package var rejected: [String: Int] = [:]
        package var counters: Counters?
        package var repairs: [Repair] = []
        package var freshStarts: [FreshStart] = []
        /// Protocol versions of other devices.
        package var otherVersions: [Int] = []

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("obstacle", &obstacle)
            field("since", &since, .time)
            field("until", &until, .time)
            field("lastSyncedAt", &lastSyncedAt, .time)
            field("caughtUp", &caughtUp)
            field("messages", &messages)
            field("conversations", &conversations)
            field("unread", &unread)
            field("placeholders", &placeholders)
            field("queue", &queue)
            field("unflushed", &unflushed)
            field("progress", &progress)
            field("store", &store)
            field("lanes", &lanes)
            field("devices", &devices)
            field("unknownRecords", &unknownRecords)
            field("unreadableSegments", &unreadableSegments)
            field("newerSegments", &newerSegments)
            field("conflicts", &conflicts)
            field("rejected", &rejected)
            field("counters", &counters)
            field("repairs", &repairs)
            field("freshStarts", &freshStarts)
            field("otherVersions", &otherVersions)
        }
    }

    package struct Store: Model {
        package static let modelName = "StoreDiagnosis"
        package var databaseBytes = 0
        package var logBytes = 0
        package var freeBytes: Int?
        package var records = 0
        package var segments = 0
        package var digest = ""

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("databaseBytes", &databaseBytes)
            field("logBytes", &logBytes)
            field("freeBytes", &freeBytes)
            field("records", &records)
            field("segments", &segments)
            field("digest", &digest)
        }
    }

    package struct Lane: Model {
        package static let modelName = "LaneDiagnosis"
        package var device = ""
        package var own = false
        package var head = 0
        package var target = 0
        package var records = 0
        /// Its device no longer writes it.
        package var abandoned = false
        package var forked = false
        package var clean = false
        package var messages = 0
        package var wantedBlobs = 0
        package var wantedMessages = 0
        package var wantedBytes = 0

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("device", &device)
            field("own", &own)
            field("head", &head)
            field("target", &target)
            field("records", &records)
            field("abandoned", &abandoned)
            field("forked", &forked)
            field("clean", &clean)
            field("messages", &messages)
            field("wantedBlobs", &wantedBlobs)
            field("wantedMessages", &wantedMessages)
            field("wantedBytes", &wantedBytes)
        }
    }

    package struct Device: Model {
        package static let modelName = "DeviceDiagnosis"
        package var device = ""
        package var thisDevice = false
        package var connected = false
        package var level = false
        package var seenAt: Int?
        package var holdsUpTo: Int?
        package var markers = 0

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("device", &device)
            field("thisDevice", &thisDevice)
            field("connected", &connected)
            field("level", &level)
            field("seenAt", &seenAt, .time)
            field("holdsUpTo", &holdsUpTo, .time)
            field("markers", &markers)
        }
    }

    package struct NewerSegments: Model {
        package var payloadVersion = 0
        package var segments = 0

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("payloadVersion", &payloadVersion)
            field("segments", &segments)
        }
    }

    package struct Counters: Model {
        package static let modelName = "SyncCounters"
        package var recordsTaken = 0
        package var recordsRejected = 0
        package var blobsTaken = 0
        package var blobBytesTaken = 0
        package var badBlobs = 0
        package var lanesHealed = 0
        package var alarms = 0
        package var bytesSent = 0
        package var bytesReceived = 0
        package var sessionsClosed = 0

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("recordsTaken", &recordsTaken)
            field("recordsRejected", &recordsRejected)
            field("blobsTaken", &blobsTaken)
            field("blobBytesTaken", &blobBytesTaken)
            field("badBlobs", &badBlobs)
            field("lanesHealed", &lanesHealed)
            field("alarms", &alarms)
            field("bytesSent", &bytesSent)
            field("bytesReceived", &bytesReceived)
            field("sessionsClosed", &sessionsClosed)
        }
    }

    package struct Repair: Model {
        package var at = 0
        package var what = ""

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("at", &at, .time)
            field("what", &what)
        }
    }

    package struct FreshStart: Model {
        package var reason = ""
        package var old = ""
        package var new = ""

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("reason", &reason)
            field("old", &old)
            field("new", &new)
        }
    }
}
