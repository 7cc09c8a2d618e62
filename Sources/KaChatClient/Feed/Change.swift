/// A place in the feed of what changes. Opaque, except that those of one account's store grow with time.
///
/// Keep the place of the last change together with what you made of it, in one transaction, and go on from there.
public struct ChangePlace: Hashable, Sendable, Codable {
    /// As the node writes it.
    public let token: String

    public init(token: String) { self.token = token }

    /// The oldest change that is kept (7 days).
    public static let oldest = ChangePlace(token: "0")
    /// What comes from now on.
    public static let now = ChangePlace(token: "now")
}

/// What changed. It says what to read anew, not what is there now: read that by the usual calls, which may be ahead.
public struct Change: Hashable, Sendable {
    /// What kind of change it is. The set may grow: leave unknown ones alone.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Messages came: read them, and the conversation's unread count.
        public static let messageAdded = Self(rawValue: "message-added")
        /// The body of a placeholder is here.
        public static let messageResolved = Self(rawValue: "message-resolved")
        /// Time, score and status of messages.
        public static let messageConfirmed = Self(rawValue: "message-confirmed")
        public static let messageReorged = Self(rawValue: "message-reorged")
        public static let messageDeleted = Self(rawValue: "message-deleted")
        /// A message exists whose body is not here yet.
        public static let messageHinted = Self(rawValue: "message-hinted")
        /// The read position of a conversation.
        public static let readState = Self(rawValue: "read-state")
        /// The unread count of a conversation.
        public static let unread = Self(rawValue: "unread")
        /// Title, participants, flags of a conversation; all of it where it was deleted.
        public static let conversation = Self(rawValue: "conversation")
        public static let device = Self(rawValue: "device")
        public static let account = Self(rawValue: "account")
        /// The account is in a group from now on.
        public static let groupJoined = Self(rawValue: "group.joined")
        /// Something else about a group: its membership, its members, its scores.
        public static let group = Self(rawValue: "group")
        public static let achievements = Self(rawValue: "achievements")
        /// How the account stands: `state`.
        public static let sync = Self(rawValue: "sync")
    }

    /// From where the feed goes on behind this change.
    public let place: ChangePlace
    public let kind: Kind
    /// When it was noted, in milliseconds since 1970, by this node's clock.
    public let at: Int
    public let conversationId: String?
    /// The messages, where there are up to 25; else empty.
    public let txids: [String]
    /// How many messages it is about; 0 where it is about none.
    public let count: Int
    public let deviceId: String?
    public let groupId: String?
    /// With `sync`: `idle`, `syncing`, `synced`, `paused`, `waiting`, `error`.
    public let state: String?
}

extension Change: Readable {
    init(_ fields: Fields) throws(ClientError) {
        place = ChangePlace(token: try fields.text("token"))
        kind = Kind(rawValue: try fields.text("kind"))
        at = fields.optionalCount("at") ?? 0
        conversationId = fields.optionalText("conversationId")
        let txid = fields.optionalText("txid")
        txids = txid.map { [$0] } ?? fields.texts("txids")
        count = fields.optionalCount("count") ?? txids.count
        deviceId = fields.optionalText("deviceId")
        groupId = fields.optionalText("groupId")
        state = fields.optionalText("state")
    }

    /// The node only says where the feed is now.
    var isHere: Bool { kind.rawValue == "here" }
}
