/// The state of a pairing with another device, the user's own or another person's.
package struct PairingStatus: Model {
    package static let modelName = "Pairing"
    /// `none`, `seeking`, `choosing`, `waiting`, `comparing`, `confirmed`, `moving`, `done` or `over`.
    package var state = ""
    package var triesLeft: Int?
    package var secondsLeft: Int?
    /// Devices in sight that pair.
    package var peers: [PairingPeer]?
    /// The chosen device: its name for itself, and its tag.
    package var peer: String?
    package var tag: String?
    /// Six digits for comparing.
    package var digits: String?
    /// Why the last attempt failed.
    package var lastTry: String?
    /// Why it ended.
    package var reason: String?
    /// When it is done, the account or the group that was handed over.
    package var accountId: String?
    package var deviceId: String?
    package var label: String?
    package var groupId: String?
    package var title: String?
    package var role: Role?

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

package struct PairingPeer: Model {
    /// Its name for itself.
    package var name = ""
    /// Four hexadecimal digits, the same on both displays.
    package var tag = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("name", &name)
        field("tag", &tag)
    }
}
