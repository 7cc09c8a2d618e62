/// How the node stands: `GET /v1/status`.
public struct NodeStatus: Hashable, Sendable {
    /// `idle`, `syncing`, `synced`, `paused`, `waiting`, `error`: that of the account, of several the least good one.
    public let state: String
    public let deviceId: String?
    /// This device's name.
    public let name: String
    public let version: String
    /// `HOST:PORT` where other devices connect to.
    public let listen: String?
    public let accounts: [AccountStatus]
    /// The devices that the node knows on the network.
    public let peers: [Peer]
}

/// How an account stands (docs/SYNC.md).
public struct AccountStatus: Hashable, Sendable {
    public let accountId: String
    public let label: String
    public let state: String
    /// Why, where the state is `error`.
    public let reason: String?
    /// The state in a sentence that can be shown to people.
    public let sentence: String
    /// Messages, and those of them that are not read. 0 where the store is not open, as the other counts.
    public let messages: Int
    public let conversations: Int
    public let unread: Int
    /// Messages whose bodies are not here yet.
    public let placeholders: Int
    /// Bodies that are known and still to be fetched.
    public let wantedBlobs: Int
    /// Messages that wait for their segment: no other device has them yet.
    public let queued: Int
    /// All devices in reach hold the same, and nothing is missing.
    public let caughtUp: Bool
    /// In milliseconds since 1970; nil: never.
    public let lastSyncedAt: Int?
    /// One line of all that is held: devices that show the same one hold the same.
    public let zoneDigest: String?
}

/// Another node, as this one sees it.
public struct Peer: Hashable, Sendable {
    public let accountId: String
    /// Nil until it has said who it is.
    public let deviceId: String?
    /// `HOST:PORT`
    public let address: String
    /// `static`, `beacon`, `remembered`, `incoming`
    public let foundBy: String
    /// `connected`, `connecting`, `known`, `unreachable`, `busy`
    public let state: String
}

/// An account of the node, as the list of them shows it.
public struct Account: Hashable, Sendable {
    public let accountId: String
    public let label: String
    public let isDefault: Bool
    public let state: String
    public let messages: Int
    public let unread: Int
}

/// A device of the account.
public struct Device: Hashable, Sendable {
    public let deviceId: String
    public let name: String?
    public let appVersion: String?
    public let thisDevice: Bool
    public let connected: Bool
    /// In milliseconds since 1970; nil: never.
    public let lastSeenAt: Int?
    /// It has everything up to then, in milliseconds since 1970; nil where nothing is known.
    public let holdsUpTo: Int?
}

/// What `sync` found.
public struct SyncResult: Hashable, Sendable {
    /// All devices in reach hold the same.
    public let caughtUp: Bool
    /// Devices in reach.
    public let peers: Int
}

/// What `background` did.
public struct BackgroundResult: Hashable, Sendable {
    /// Segments that were cut.
    public let segments: Int
    /// Devices that were connected until then.
    public let peers: Int
    /// Each of them has all of it.
    public let handedOver: Bool
    /// No database is held any more: the system may suspend the process.
    public let released: Bool
}

extension NodeStatus: Readable {
    init(_ fields: Fields) throws(ClientError) {
        state = try fields.text("state")
        deviceId = fields.optionalText("deviceId")
        name = try fields.text("name")
        version = try fields.text("version")
        listen = fields.optionalText("listen")
        accounts = try fields.list("accounts", of: AccountStatus.self)
        peers = try fields.list("peers", of: Peer.self)
    }
}

extension AccountStatus: Readable {
    init(_ fields: Fields) throws(ClientError) {
        accountId = try fields.text("accountId")
        label = try fields.text("label")
        state = try fields.text("state")
        reason = fields.optionalText("reason")
        sentence = try fields.text("sentence")
        messages = fields.optionalCount("messages") ?? 0
        conversations = fields.optionalCount("conversations") ?? 0
        unread = fields.optionalCount("unread") ?? 0
        placeholders = fields.optionalCount("placeholders") ?? 0
        wantedBlobs = fields.optionalCount("wantedBlobs") ?? 0
        queued = fields.optionalCount("queued") ?? 0
        caughtUp = try fields.flag("caughtUp")
        lastSyncedAt = fields.optionalCount("lastSyncedAt")
        zoneDigest = fields.optionalText("zoneDigest")
    }
}

extension Peer: Readable {
    init(_ fields: Fields) throws(ClientError) {
        accountId = try fields.text("accountId")
        deviceId = fields.optionalText("deviceId")
        address = try fields.text("address")
        foundBy = try fields.text("foundBy")
        state = try fields.text("state")
    }
}

extension Account: Readable {
    init(_ fields: Fields) throws(ClientError) {
        accountId = try fields.text("accountId")
        label = try fields.text("label")
        isDefault = try fields.flag("isDefault")
        state = try fields.text("state")
        messages = fields.optionalCount("messages") ?? 0
        unread = fields.optionalCount("unread") ?? 0
    }
}

extension Device: Readable {
    init(_ fields: Fields) throws(ClientError) {
        deviceId = try fields.text("deviceId")
        name = fields.optionalText("name")
        appVersion = fields.optionalText("appVersion")
        thisDevice = try fields.flag("thisDevice")
        connected = try fields.flag("connected")
        lastSeenAt = fields.optionalCount("lastSeenAt")
        holdsUpTo = fields.optionalCount("holdsUpTo")
    }
}

extension SyncResult: Readable {
    init(_ fields: Fields) throws(ClientError) {
        caughtUp = try fields.flag("caughtUp")
        peers = try fields.count("peers")
    }
}

extension BackgroundResult: Readable {
    init(_ fields: Fields) throws(ClientError) {
        segments = try fields.count("segments")
        peers = try fields.count("peers")
        handedOver = try fields.flag("handedOver")
        released = try fields.flag("released")
    }
}
