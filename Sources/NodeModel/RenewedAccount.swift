/// An account that continues in a new one.
package struct RenewedAccount: Model {
    package var accountId = ""
    package var deviceId = ""
    package var label = ""
    /// The new account's words; nil once they are confirmed as written down.
    package var phrase: String?
    package var messages = 0
    package var conversations = 0
    /// Messages of the old account whose text is not on this device.
    package var missing = 0
    package var oldAccountId = ""
    package var oldLabel = ""
    /// The groups of which the old account is a member, and the new one not yet.
    package var groups: [Group] = []

    package struct Group: Model {
        package static let modelName = "GroupToJoinAnew"
        package var groupId = ""
        package var title = ""
        package var isOwner = false

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("groupId", &groupId)
            field("title", &title)
            field("isOwner", &isOwner)
        }
    }

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("accountId", &accountId)
        field("deviceId", &deviceId)
        field("label", &label)
        field("phrase", &phrase)
        field("messages", &messages)
        field("conversations", &conversations)
        field("missing", &missing)
        field("oldAccountId", &oldAccountId)
        field("oldLabel", &oldLabel)
        field("groups", &groups)
    }
}
