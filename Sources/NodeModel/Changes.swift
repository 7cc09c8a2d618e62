package import JSONLines

/// A place in the change feed. Opaque, except that places in one account's store grow with time.
///
/// Save the place of the last change in one transaction with what you derived from it, and continue from there.
public struct ChangePlace: Hashable, Sendable, Codable {
    /// The node's text for it.
    public let token: String

    public init(token: String) { self.token = token }

    /// The oldest change that is kept (7 days).
    public static let oldest = ChangePlace(token: "0")
    /// Changes from now on.
    public static let now = ChangePlace(token: "now")
}

/// A change. It names what to read again, not the new value; the usual calls read that, and may be ahead.
public struct Change: Model, Hashable, Sendable {
    /// The kind of change. The set may grow: ignore unknown kinds.
    public struct Kind: OpenWord, RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Messages arrived: read them and the conversation's unread count.
        public static let messageAdded = Self(rawValue: "message-added")
        /// The body of a placeholder arrived, or a message is shown with another content now.
        public static let messageResolved = Self(rawValue: "message-resolved")
        /// Time, score or status of messages changed.
        public static let messageConfirmed = Self(rawValue: "message-confirmed")
        public static let messageReorged = Self(rawValue: "message-reorged")
        public static let messageDeleted = Self(rawValue: "message-deleted")
        /// A placeholder for a message without its body yet.
        public static let messageHinted = Self(rawValue: "message-hinted")
        /// The read position of a conversation.
        public static let readState = Self(rawValue: "read-state")
        /// The unread count of a conversation.
        public static let unread = Self(rawValue: "unread")
        /// Title, participants or flags of a conversation, or all of it if it was deleted.
        public static let conversation = Self(rawValue: "conversation")
        public static let device = Self(rawValue: "device")
        public static let account = Self(rawValue: "account")
        /// The account joined a group.
        public static let groupJoined = Self(rawValue: "group.joined")
        /// Another change of a group: its membership, its members or its scores.
        public static let group = Self(rawValue: "group")
        public static let achievements = Self(rawValue: "achievements")
        /// The account's state: `state`.
        public static let sync = Self(rawValue: "sync")
        /// Nothing changed: gives the feed's present place.
        package static let here = Self(rawValue: "here")
    }

    /// The feed continues from here after this change.
    public var place = ChangePlace.oldest
    public var kind = Kind.here
    /// In milliseconds since 1970, by this node's clock.
    public var at = 0
    public var conversationId: String?
    /// The messages, if there are at most 25; else empty.
    public var txids: [String] = []
    /// The number of messages concerned.
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

    package var nextPlace: String? { place.token }
    package var eventName: String? { kind.rawValue }

    package mutating func fields(_ field: inout FieldCoder) {
        field("token", &place)
        field("kind", &kind)
        // The present place has no time.
        var noted = kind == .here ? nil : at as Int?
        field.optional("at", &noted, .time)
        at = noted ?? 0
        field.optional("conversationId", &conversationId)
        field.optional("deviceId", &deviceId)
        field.optional("groupId", &groupId)
        field.optional("state", &state)
        // One message is `txid`; several are `count`, with `txids` if they are few.
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

extension ChangePlace: FieldValue {
    package var json: JSONValue { .string(token) }
    package static var blank: ChangePlace { .oldest }
    package init(json: JSONValue) throws(FieldError) { self.init(token: try String(json: json)) }
    package static func schema(_ schemas: inout Schemas) -> JSONValue { String.schema(&schemas) }
}
