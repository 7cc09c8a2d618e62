/// A member's rights in a group. The set may grow.
public struct Role: OpenWord, RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let viewer = Self(rawValue: "viewer")
    public static let member = Self(rawValue: "member")
    public static let admin = Self(rawValue: "admin")
    public static let owner = Self(rawValue: "owner")
}

/// A group of the account: joined, joining, or left.
public struct Group: Model, Hashable, Sendable {
    public var groupId = ""
    public var title = ""
    public var description = ""
    /// `joined`, `joining` (its records are still to come), `pending` (waits for a member to admit it), `lapsed`,
    /// `removed`, `deleted`, `left` or `error`.
    public var state = "joined"
    /// The user's own, like `name` and `memberId`.
    public var role: Role?
    public var name: String?
    public var memberId: String?
    /// The owner's name and id.
    public var owner: String?
    public var ownerId: String?
    public var members = 0
    public var games = 0
    public var paused = false
    /// How it stands, in an account's words; nil for a group that is not `joined` or `joining`.
    public var verdict: Verdict?
    /// The state in a sentence for people.
    public var sentence = ""

    /// In milliseconds since 1970, as all times here.
    package var createdAt: Int?
    package var joinedAt: Int?
    package var deletedAt: Int?
    /// The number of its keys so far. Nil for a group whose records are not open here; most fields are missing then.
    package var epochs: Int?
    package var pausedBy: String?
    package var pausedSince: Int?
    /// Members in reach.
    package var connected: Int?
    /// Like an account's state; `stopped` if no node runs, `ended` for a former member.
    package var sync: String?
    package var problems: GroupProblems?
    /// The group in which it continues.
    package var successorId: String?
    /// The start of the wait for admission.
    package var since: Int?
    /// Of a group that was left: the file with the user's own results.
    package var scoresFile: String?
    package var isGone = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        let isOpen = epochs != nil
        field("groupId", &groupId)
        field("title", &title)
        field("description", &description, ifTold: isOpen)
        field("state", &state)
        field.optional("memberId", &memberId)
        field.optional("role", &role, asNull: isOpen)
        field.optional("name", &name, asNull: isOpen)
        field.optional("ownerId", &ownerId, asNull: isOpen)
        field.optional("owner", &owner, asNull: isOpen)
        field.optional("createdAt", &createdAt, .time, asNull: isOpen)
        field.optional("joinedAt", &joinedAt, .time)
        field.optional("deletedAt", &deletedAt, .time, asNull: isOpen)
        field("members", &members, ifTold: isOpen)
        field("games", &games, ifTold: isOpen)
        field.optional("epochs", &epochs)
        field("paused", &paused, ifTold: isOpen)
        field.optional("pausedBy", &pausedBy, asNull: isOpen)
        field.optional("pausedSince", &pausedSince, .time, asNull: isOpen)
        field.optional("connected", &connected)
        field.optional("sync", &sync)
        field.optional("verdict", &verdict)
        field("sentence", &sentence, ifTold: !sentence.isEmpty)
        field.optional("problems", &problems)
        field.optional("successorId", &successorId)
        field.optional("since", &since, .time)
        field.optional("scoresFile", &scoresFile, asNull: isGone)
    }
}

/// Invalid records of a group, and proofs of misbehaviour.
package struct GroupProblems: Model {
    /// A device that signed two records for one place, and its members.
    package struct Equivocation: Model {
        package var deviceId = ""
        package var memberIds: [String] = []

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("deviceId", &deviceId)
            field("memberIds", &memberIds)
        }
    }

    package var voidScores = 0
    package var voidControls = 0
    package var unknownRecords = 0
    package var refusedRecords = 0
    package var refusedBlobs = 0
    package var equivocations: [Equivocation] = []

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("voidScores", &voidScores)
        field("voidControls", &voidControls)
        field("unknownRecords", &unknownRecords)
        field("refusedRecords", &refusedRecords)
        field("refusedBlobs", &refusedBlobs)
        field("equivocations", &equivocations)
    }
}

package struct FoundedGroup: Model {
    package var groupId = ""
    package var title = ""
    package var memberId = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("groupId", &groupId)
        field("title", &title)
        field("memberId", &memberId)
    }
}

/// The state of a join.
package struct JoinedGroup: Model {
    package var groupId = ""
    package var title = ""
    /// `joined`, `joining` or `pending`.
    package var state = ""
    package var memberId: String?
    /// The user's name in the group.
    package var name: String?
    package var members: Int?
    /// Days with results.
    package var days: Int?
    /// The reason that a join is pending; `sentence` says the same as a whole sentence.
    package var waitsFor: String?
    package var sentence: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("groupId", &groupId)
        field("title", &title)
        field("state", &state)
        field.optional("memberId", &memberId)
        field.optional("name", &name)
        field.optional("members", &members)
        field.optional("days", &days)
        field.optional("waitsFor", &waitsFor)
        field.optional("sentence", &sentence)
    }
}

/// A group in place of another one.
package struct SuccessorGroup: Model {
    package var groupId = ""
    package var title = ""
    /// True if the old one was closed with it: its members follow.
    package var closed = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("groupId", &groupId)
        field("title", &title)
        field("closed", &closed)
    }
}

package struct LeftGroup: Model {
    package var groupId = ""
    package var title = ""
    /// `left`, or `dropped` for the copy of a deleted group.
    package var state = "left"
    /// The file with the user's own results, if there are any; nil if the join was still pending.
    package var scoresFile: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("groupId", &groupId)
        field("title", &title)
        field("state", &state)
        field.optional("scoresFile", &scoresFile)
    }
}

public struct Member: Model, Hashable, Sendable {
    public var memberId = ""
    public var name = ""
    /// `viewer` for a member who was removed or left, whatever the role was.
    public var role = Role.member
    /// `active`, `suspended`, `removed` or `left`.
    public var state = ""
    /// Devices of the member in the group.
    public var devices = 0
    public var me = false
    /// True once the owner's device has seen it: then no ticket matters to it any more.
    public var confirmed = false
    /// The id of the member whose invitation it came by; nil for the owner, and where that is not known.
    public var cameBy: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("memberId", &memberId)
        field("name", &name)
        field("role", &role)
        field("state", &state)
        field("devices", &devices)
        field("me", &me)
        field("confirmed", &confirmed)
        field("cameBy", &cameBy)
    }
}

/// A member that was removed from a group.
package struct RemovedMember: Model {
    package var member = Member()
    /// Members who came by its invitations, or by theirs, and were removed with it.
    package var alsoRemoved: [Member] = []
    /// Open invitations that ended, since the member may have known them.
    package var endedInvitations = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        member.fields(&field)
        field("alsoRemoved", &alsoRemoved)
        field("endedInvitations", &endedInvitations)
    }
}

/// A new invitation. Anybody with its token can join, as many people as it is for.
public struct MadeInvite: Model, Hashable, Sendable {
    /// `kachat:…`, to send as a text or show as a QR code.
    public var token = ""
    /// How many people may join by it.
    public var people = 0
    public var role = Role.member
    /// In milliseconds since 1970; nil for never.
    public var expiresAt: Int?
    public var groupId = ""
    package var title = ""
    /// Its QR code as SVG, if requested.
    package var qr: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("token", &token)
        field("people", &people)
        field("role", &role)
        field("expiresAt", &expiresAt, .time)
        field("groupId", &groupId)
        field("title", &title)
        field.optional("qr", &qr)
    }
}

/// An open invitation.
public struct Invite: Model, Hashable, Sendable {
    public var inviteId = ""
    public var role = Role.member
    /// In milliseconds since 1970; nil for never.
    public var expiresAt: Int?
    /// How many people may join by it.
    public var people = 0
    public var used = 0
    public var issuer: String?
    package var issuerId = ""
    /// When it came to this device, in milliseconds since 1970; nil if that is not known.
    package var createdAt: Int?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("inviteId", &inviteId)
        field("role", &role)
        field("expiresAt", &expiresAt, .time)
        field("people", &people)
        field("used", &used)
        field("issuer", &issuer)
        field("issuerId", &issuerId)
        field("createdAt", &createdAt, .time)
    }
}

/// The contents of an invitation's token.
public struct InspectedInvite: Model, Hashable, Sendable {
    public var title = ""
    public var groupId = ""
    public var inviteId = ""
    /// How many people may join by it, as far as the token alone says.
    public var people = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("title", &title)
        field("groupId", &groupId)
        field("inviteId", &inviteId)
        field("people", &people)
    }
}

/// An invitation of which tickets were cut off.
package struct SplitInvite: Model {
    /// For the people that were asked for.
    package var token = ""
    package var people = 0
    /// For the others.
    package var rest = ""
    package var restPeople = 0
    package var title = ""
    package var groupId = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("token", &token)
        field("people", &people)
        field("rest", &rest)
        field("restPeople", &restPeople)
        field("title", &title)
        field("groupId", &groupId)
    }
}
