/// An account of the node, as the list of them shows it.
public struct Account: Hashable, Sendable {
    public var accountId = ""
    public var label = ""
    public var isDefault = false
    public var state = ""
    /// Why its store cannot be opened; nil of one that is open.
    public var reason: String?
    /// Nil where the store is not open.
    package var store: Store?

    package init() {}

    /// 0 where the store is not open, as `unread`.
    public var messages: Int { store?.messages ?? 0 }
    public var unread: Int { store?.unread ?? 0 }
}

/// A device of the account.
public struct Device: Hashable, Sendable {
    public var deviceId = ""
    public var name: String?
    public var appVersion: String?
    public var thisDevice = false
    public var connected = false
    /// In milliseconds since 1970; nil: never.
    public var lastSeenAt: Int?
    /// It has everything up to then, in milliseconds since 1970; nil where nothing is known.
    public var holdsUpTo: Int?
    /// All that it has written under: its id, then those of before it started afresh.
    public var lanes: [String] = []

    package init() {}
}

// MARK: Fields

extension Account: Model {
    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("label", &label)
        field("isDefault", &isDefault)
        field("state", &state)
        field.optional("reason", &reason)
        field.together(&store, by: "deviceId")
    }

    package struct Store: Model {
        package var deviceId = ""
        /// In milliseconds since 1970.
        package var createdAt = 0
        package var pausedBy: String?
        package var pausedSince: Int?
        package var messages = 0
        package var unread = 0

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("deviceId", &deviceId)
            field("createdAt", &createdAt)
            field("pausedBy", &pausedBy)
            field("pausedSince", &pausedSince)
            field("messages", &messages)
            field("unread", &unread)
        }
    }
}

/// An account: its ids, its versions, since when it is there.
package struct AccountDetails: Model {
    package var accountId = ""
    package var deviceId = ""
    /// This device's, as the account's other devices show it.
    package var name = ""
    package var label = ""
    package var isDefault = false
    package var state = ""
    /// When the account was made, and when it came to this device, in milliseconds since 1970.
    package var createdAt = 0
    package var addedAt = 0
    package var schemaVersion = 0
    package var syncKeyVersion = 0
    package var hasPhrase = false
    package var pausedBy: String?
    package var pausedSince: Int?
    package var home = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("deviceId", &deviceId)
        field("name", &name)
        field("label", &label)
        field("isDefault", &isDefault)
        field("state", &state)
        field("createdAt", &createdAt)
        field("addedAt", &addedAt)
        field("schemaVersion", &schemaVersion)
        field("syncKeyVersion", &syncKeyVersion)
        field("hasPhrase", &hasPhrase)
        field("pausedBy", &pausedBy)
        field("pausedSince", &pausedSince)
        field("home", &home)
    }
}

/// The answer to making an account. Nothing else shows the phrase without being asked for it.
package struct NewAccount: Model {
    package var accountId = ""
    package var deviceId = ""
    package var label = ""
    /// Its words.
    package var phrase = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("deviceId", &deviceId)
        field("label", &label)
        field("phrase", &phrase)
    }
}

/// What an account is called on this device.
package struct AccountName: Model {
    package var accountId = ""
    package var label: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("label", &label)
    }
}

/// What `account remove` takes from this device, and what the others have.
package struct RemovedAccount: Model {
    package var accountId = ""
    package var label = ""
    package var hasPhrase = false
    /// False: nothing is removed yet.
    package var removed = false
    /// Nil where the store is not open.
    package var store: Store?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("label", &label)
        field("hasPhrase", &hasPhrase)
        field("removed", &removed)
        field.together(&store, by: "messages")
    }

    package struct Store: Model {
        package var messages = 0
        /// Messages that are on no other device.
        package var queued = 0
        package var wantedBlobs = 0
        /// Devices in reach that hold the same.
        package var devicesInSync = 0
        /// When one held the same last, in milliseconds since 1970.
        package var lastSyncedAt: Int?

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("messages", &messages)
            field("queued", &queued)
            field("wantedBlobs", &wantedBlobs)
            field("devicesInSync", &devicesInSync)
            field("lastSyncedAt", &lastSyncedAt)
        }
    }
}

/// The answer to going over to new keys.
package struct RotatedKey: Model {
    package var accountId = ""
    package var syncKeyVersion = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("syncKeyVersion", &syncKeyVersion)
    }
}

/// Whether an account is paused, and by whom.
package struct AccountPause: Model {
    package static let modelName = "Pause"
    package var accountId = ""
    package var label = ""
    package var paused = false
    package var pausedBy: String?
    /// In milliseconds since 1970.
    package var pausedSince: Int?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("label", &label)
        field("paused", &paused)
        field("pausedBy", &pausedBy)
        field("pausedSince", &pausedSince)
    }
}

extension Device: Model {
    package static let modelName = "ListedDevice"

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("name", &name)
        field("appVersion", &appVersion)
        field("thisDevice", &thisDevice)
        field("connected", &connected)
        field("lastSeenAt", &lastSeenAt)
        field("holdsUpTo", &holdsUpTo)
        field("lanes", &lanes)
    }
}

/// A device's new name.
package struct DeviceName: Model {
    /// Nil: this device.
    package var deviceId: String?
    package var name = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field.optional("deviceId", &deviceId)
        field("name", &name)
    }
}

/// Where other devices reach this one.
package struct DeviceAddress: Model {
    package var addresses: [String] = []
    /// All of them, with blanks between.
    package var text = ""
    /// A picture (SVG) of the QR code, where it is asked for.
    package var qr: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("addresses", &addresses)
        field("text", &text)
        field.optional("qr", &qr)
    }
}

package struct ForgottenDevice: Model {
    package var deviceId = ""
    package var name: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("name", &name)
    }
}
