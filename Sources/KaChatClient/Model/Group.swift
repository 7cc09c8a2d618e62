/// What somebody may do in a group. The set may grow.
public struct Role: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let viewer = Self(rawValue: "viewer")
    public static let member = Self(rawValue: "member")
    public static let admin = Self(rawValue: "admin")
    public static let owner = Self(rawValue: "owner")
}

/// A group that the account is in, was in, or is about to be in.
public struct Group: Hashable, Sendable {
    public let groupId: String
    public let title: String
    public let description: String
    /// `joined`, `joining` (its records are still to come), `pending` (it waits for a member to let it in), `removed`,
    /// `deleted`, `left`, `error`
    public let state: String
    /// One's own.
    public let role: Role?
    public let name: String?
    public let memberId: String?
    /// The owner's name and id.
    public let owner: String?
    public let ownerId: String?
    public let members: Int
    public let games: Int
    public let paused: Bool
    /// How it stands, in a sentence that can be shown to people.
    public let sentence: String
}

/// Somebody in a group.
public struct Member: Hashable, Sendable {
    public let memberId: String
    public let name: String
    public let role: Role
    /// `active`, `suspended`, `removed`
    public let state: String
    /// How many devices the account has there.
    public let devices: Int
    public let me: Bool
}

/// An invitation that was made: whoever has the token comes in.
public struct MadeInvite: Hashable, Sendable {
    /// `kachat:…`, to be sent as a text or shown as a QR code.
    public let token: String
    public let role: Role
    /// In milliseconds since 1970; nil: never.
    public let expiresAt: Int?
    /// Nil: any number.
    public let uses: Int?
    public let groupId: String
}

/// An invitation that is open.
public struct Invite: Hashable, Sendable {
    public let inviteId: String
    public let role: Role
    /// In milliseconds since 1970; nil: never.
    public let expiresAt: Int?
    /// Nil: any number.
    public let uses: Int?
    public let used: Int
    public let issuer: String?
}

extension Group: Readable {
    init(_ fields: Fields) throws(ClientError) {
        groupId = try fields.text("groupId")
        title = fields.optionalText("title") ?? ""
        description = fields.optionalText("description") ?? ""
        state = fields.optionalText("state") ?? "joined"
        role = fields.optionalText("role").map { Role(rawValue: $0) }
        name = fields.optionalText("name")
        memberId = fields.optionalText("memberId")
        owner = fields.optionalText("owner")
        ownerId = fields.optionalText("ownerId")
        members = fields.optionalCount("members") ?? 0
        games = fields.optionalCount("games") ?? 0
        paused = fields.optionalFlag("paused") ?? false
        sentence = fields.optionalText("sentence") ?? ""
    }
}

extension Member: Readable {
    init(_ fields: Fields) throws(ClientError) {
        memberId = try fields.text("memberId")
        name = fields.optionalText("name") ?? ""
        role = Role(rawValue: try fields.text("role"))
        state = try fields.text("state")
        devices = try fields.count("devices")
        me = try fields.flag("me")
    }
}

extension MadeInvite: Readable {
    init(_ fields: Fields) throws(ClientError) {
        token = try fields.text("token")
        role = Role(rawValue: try fields.text("role"))
        expiresAt = fields.optionalCount("expiresAt")
        uses = fields.optionalCount("uses")
        groupId = try fields.text("groupId")
    }
}

extension Invite: Readable {
    init(_ fields: Fields) throws(ClientError) {
        inviteId = try fields.text("inviteId")
        role = Role(rawValue: try fields.text("role"))
        expiresAt = fields.optionalCount("expiresAt")
        uses = fields.optionalCount("uses")
        used = fields.optionalCount("used") ?? 0
        issuer = fields.optionalText("issuer")
    }
}
