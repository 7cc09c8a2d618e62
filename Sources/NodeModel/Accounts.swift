/// An account of the node, in a list.
public struct Account: Model, Hashable, Sendable {
    public var accountId = ""
    public var label = ""
    public var isDefault = false
    public var state = ""
    /// Why its store cannot be opened; nil if it is open.
    public var reason: String?
    /// Nil if the store is not open.
    package var store: Store?

    package init() {}

    /// 0 if the store is not open, as `unread`.
    public var messages: Int { store?.messages ?? 0 }
    public var unread: Int { store?.unread ?? 0 }

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
            field("createdAt", &createdAt, .time)
            field("pausedBy", &pausedBy)
            field("pausedSince", &pausedSince, .time)
            field("messages", &messages)
            field("unread", &unread)
        }
    }
}

/// A device of the account.
public struct Device: Model, Hashable, Sendable {
    package static let modelName = "ListedDevice"
    public var deviceId = ""
    public var name: String?
    public var appVersion: String?
    public var thisDevice = false
    public var connected = false
    /// In milliseconds since 1970; nil for never.
    public var lastSeenAt: Int?
    /// It has everything up to this time, in milliseconds since 1970; nil if unknown.
    public var holdsUpTo: Int?
    /// `active`, `succeeded`, `lapsed`, `left`, `removed`, `displaced` or `unknown`.
    public var state = ""
    /// The id of the device that let it in, or `phrase`; nil if it does not belong to the account any more.
    public var enteredBy: String?
    /// When this device learned of it, in milliseconds since 1970; nil if unknown.
    public var enteredAt: Int?
    /// The name of the device that let it in; nil if it has none, or came by the phrase.
    public var enteredByName: String?
    /// When this device learned that it was removed, in milliseconds since 1970; nil if it was not, or that is unknown.
    public var removedAt: Int?
    /// The removed devices that it has heard of, as far as it shows.
    public var heardRemovals: [String] = []
    /// The lanes that it has written: its id, then the ids it had before a fresh start.
    public var lanes: [String] = []

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("name", &name)
        field("appVersion", &appVersion)
        field("thisDevice", &thisDevice)
        field("connected", &connected)
        field("lastSeenAt", &lastSeenAt, .time)
        field("holdsUpTo", &holdsUpTo, .time)
        field("state", &state)
        field("enteredBy", &enteredBy)
        field("enteredAt", &enteredAt, .time)
        field("enteredByName", &enteredByName)
        field("removedAt", &removedAt, .time)
        field("heardRemovals", &heardRemovals)
        field("lanes", &lanes)
    }
}

/// An account's IDs, versions and times.
package struct AccountDetails: Model {
    package var accountId = ""
    package var deviceId = ""
    /// This device's name on the account's other devices.
    package var name = ""
    package var label = ""
    package var isDefault = false
    package var state = ""
    /// The creation of the account and its arrival on this device, in milliseconds since 1970.
    package var createdAt = 0
    package var addedAt = 0
    package var schemaVersion = 0
    /// How often the account's keys were replaced.
    package var epoch = 0
    /// The recovery phrase waits here to be written down; afterwards no device has it.
    package var phraseOnDevice = false
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
        field("createdAt", &createdAt, .time)
        field("addedAt", &addedAt, .time)
        field("schemaVersion", &schemaVersion)
        field("epoch", &epoch)
        field("phraseOnDevice", &phraseOnDevice)
        field("pausedBy", &pausedBy)
        field("pausedSince", &pausedSince, .time)
        field("home", &home)
    }
}

/// A new account with its recovery phrase, which no other answer shows unasked.
public struct NewAccount: Model, Hashable, Sendable {
    public var accountId = ""
    public var deviceId = ""
    public var label = ""
    public var phrase = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("deviceId", &deviceId)
        field("label", &label)
        field("phrase", &phrase)
    }
}

/// An account whose recovery phrase was wiped, since it is written down.
package struct ConfirmedPhrase: Model {
    package var accountId = ""
    package var label = ""
    package var phraseOnDevice = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("label", &label)
        field("phraseOnDevice", &phraseOnDevice)
    }
}

/// An account that this device was let into by its phrase or key.
package struct EnteredAccount: Model {
    package var accountId = ""
    package var deviceId = ""
    package var label = ""
    /// False if this device belonged to the account already.
    package var entered = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("deviceId", &deviceId)
        field("label", &label)
        field("entered", &entered)
    }
}

/// An account's label on this device.
package struct AccountName: Model {
    package var accountId = ""
    package var label: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("label", &label)
    }
}

/// The data that `account remove` deletes from this device, and what other devices have of it.
package struct RemovedAccount: Model {
    package var accountId = ""
    package var label = ""
    /// The recovery phrase waits here to be written down; afterwards no device has it.
    package var phraseOnDevice = false
    /// False if it is not removed yet.
    package var removed = false
    /// Nil if the store is not open.
    package var store: Store?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("label", &label)
        field("phraseOnDevice", &phraseOnDevice)
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
        /// The last time that another device held the same, in milliseconds since 1970.
        package var lastSyncedAt: Int?

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("messages", &messages)
            field("queued", &queued)
            field("wantedBlobs", &wantedBlobs)
            field("devicesInSync", &devicesInSync)
            field("lastSyncedAt", &lastSyncedAt, .time)
        }
    }
}

package struct RotatedAccount: Model {
    package var accountId = ""
    /// How often the account's keys were replaced, this time included.
    package var epoch = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("epoch", &epoch)
    }
}

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
        field("pausedSince", &pausedSince, .time)
    }
}

/// A device that was shut out.
package struct RemovedDevice: Model {
    /// Its id.
    package var removed = ""
    package var name: String?
    /// The devices that have heard of all removals, and those that have not yet.
    package var heard: [Named] = []
    package var unheard: [Named] = []
    /// Its records from this time on do not count, in milliseconds since 1970; nil if all that was here stays.
    package var since: Int?
    /// Messages that it had archived since then, and that do not count any more.
    package var withdrawnMessages = 0
    /// Its changes since then that are undone: deletions, names, read marks and the like.
    package var undoneChanges = 0
    /// Groups of the account from which it is shut out, too, and the titles of those where that failed.
    package var groups = 0
    package var failedGroups: [String] = []
    /// The titles of those where nothing is taken back, because this device joined after `since`.
    package var unsortedGroups: [String] = []

    package struct Named: Model {
        package static let modelName = "NamedDevice"
        package var deviceId = ""
        package var name: String?

        package init() {}

        package init(deviceId: String, name: String?) { (self.deviceId, self.name) = (deviceId, name) }

        package mutating func fields(_ field: inout FieldCoder) {
            field("deviceId", &deviceId)
            field("name", &name)
        }
    }

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("removed", &removed)
        field("name", &name)
        field("heard", &heard)
        field("unheard", &unheard)
        field("since", &since, .time)
        field("withdrawnMessages", &withdrawnMessages)
        field("undoneChanges", &undoneChanges)
        field("groups", &groups)
        field("failedGroups", &failedGroups)
        field("unsortedGroups", &unsortedGroups)
    }
}

package struct DeviceName: Model {
    /// Nil for this device.
    package var deviceId: String?
    package var name = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field.optional("deviceId", &deviceId)
        field("name", &name)
    }
}

/// The addresses at which other devices reach this one.
package struct DeviceAddress: Model {
    package var addresses: [String] = []
    /// All of them, separated by blanks.
    package var text = ""
    /// The QR code as SVG, if requested.
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
