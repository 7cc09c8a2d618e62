package import JSONLines

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
        /// Nothing changed: it only says where the feed is now.
        package static let here = Self(rawValue: "here")
    }

    /// From where the feed goes on behind this change.
    public var place = ChangePlace.oldest
    public var kind = Kind.here
    /// When it was noted, in milliseconds since 1970, by this node's clock.
    public var at = 0
    public var conversationId: String?
    /// The messages, where there are up to 25; else empty.
    public var txids: [String] = []
    /// How many messages it is about; 0 where it is about none.
    public var count = 0
    public var deviceId: String?
    public var groupId: String?
    /// With `sync`: `idle`, `syncing`, `synced`, `paused`, `waiting`, `error`.
    public var state: String?

    package init() {}

    package init(_ kind: Kind, at place: ChangePlace) {
        self.kind = kind
        self.place = place
    }
}

extension Change: Model {
    package var nextPlace: String? { place.token }
    package var eventName: String? { kind.rawValue }

    package mutating func fields(_ field: inout FieldCoder) {
        field("token", &place)
        field("kind", &kind)
        // Where the feed is, is not noted at a time.
        var noted = kind == .here ? nil : at as Int?
        field.optional("at", &noted)
        at = noted ?? 0
        field.optional("conversationId", &conversationId)
        field.optional("deviceId", &deviceId)
        field.optional("groupId", &groupId)
        field.optional("state", &state)
        // One message is told as `txid`; of several their number, and which they are where they are few.
        var txid = count == 1 ? txids.first : nil
        let isOne = txid != nil
        field.optional("txid", &txid, .txid)
        var many = isOne ? [] : txids
        field.list("txids", &many)
        var number = isOne || count == 0 ? nil : count as Int?
        field.optional("count", &number)
        txids = txid.map { [$0] } ?? many
        count = number ?? txids.count
    }
}

extension Change.Kind: FieldValue {
    package var json: JSONValue { .string(rawValue) }
    package static var blank: Change.Kind { .here }
    package init(json: JSONValue) throws(FieldError) { self.init(rawValue: try String(json: json)) }
    package static func schema(_ schemas: inout Schemas) -> JSONValue { String.schema(&schemas) }
}

extension ChangePlace: FieldValue {
    package var json: JSONValue { .string(token) }
    package static var blank: ChangePlace { .oldest }
    package init(json: JSONValue) throws(FieldError) { self.init(token: try String(json: json)) }
    package static func schema(_ schemas: inout Schemas) -> JSONValue { String.schema(&schemas) }
}
