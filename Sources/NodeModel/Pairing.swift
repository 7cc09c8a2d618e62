/// Where a pairing stands: with another device, or another person's.
package struct PairingStatus: Model {
    package static let modelName = "Pairing"
    /// `none`, `seeking`, `choosing`, `waiting`, `comparing`, `confirmed`, `moving`, `done`, `over`
    package var state = ""
    package var triesLeft: Int?
    package var secondsLeft: Int?
    /// The devices that pair.
    package var peers: [PairingPeer]?
    /// The one that is meant: what it calls itself, and its tag.
    package var peer: String?
    package var tag: String?
    /// Six, to be compared.
    package var digits: String?
    /// Why the last try came to nothing.
    package var lastTry: String?
    /// Why it is over.
    package var reason: String?
    /// What was handed over, when it is done: an account, or the way into a group.
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
    /// What it calls itself.
    package var name = ""
    /// Four hexadecimal digits, the same on both displays.
    package var tag = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("name", &name)
        field("tag", &tag)
    }
}
