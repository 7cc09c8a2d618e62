/// The state of a pairing with another device, the user's own or another person's.
public struct PairingStatus: Model, Hashable, Sendable {
    package static let modelName = "Pairing"
    /// `none`, `seeking`, `choosing`, `waiting`, `comparing`, `confirmed`, `moving`, `done` or `over`.
    public var state = ""
    public var triesLeft: Int?
    public var secondsLeft: Int?
    /// Devices in sight that pair.
    public var peers: [PairingPeer]?
    /// The chosen device: its name for itself, and its tag.
    public var peer: String?
    public var tag: String?
    /// Six digits for comparing.
    public var digits: String?
    /// Why the last attempt failed.
    public var lastTry: String?
    /// Why it ended.
    public var reason: String?
    /// When it is done, the account or the group that was handed over.
    public var accountId: String?
    public var deviceId: String?
    public var label: String?
    public var groupId: String?
    public var title: String?
    public var role: Role?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("state", &state)
        field.optional("triesLeft", &triesLeft)
        field.optional("secondsLeft", &secondsLeft)
        field.optional("peers", &peers)
        field.optional("peer", &peer, asNull: state == "done" && triesLeft == nil)
        field.optional("tag", &tag)
        field.optional("digits", &digits)
        field.optional("lastTry", &lastTry)
        field.optional("reason", &reason)
        field.optional("accountId", &accountId)
        field.optional("deviceId", &deviceId)
        field.optional("label", &label)
        field.optional("groupId", &groupId)
        field.optional("title", &title)
        field.optional("role", &role)
    }
}

public struct PairingPeer: Model, Hashable, Sendable {
    /// Its name for itself.
    public var name = ""
    /// Four hexadecimal digits, the same on both displays.
    public var tag = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("name", &name)
        field("tag", &tag)
    }
}
