package import NodeCore

/// Something that happened in a zone and that an app may want to read anew.
package enum Change: Hashable, Sendable {
    /// A message is here that was not; its conversation's unread count may have changed with it.
    case messageAdded(TxID, conversation: String)
    /// The body of a message arrived that was known without one.
    case messageResolved(TxID, conversation: String?)
    /// What the chain says of a message became known or changed.
    case messageConfirmed(TxID, conversation: String?)
    case messageReorged(TxID, conversation: String?)
    case messageDeleted(TxID, conversation: String?)
    /// A message is known to exist; its body is not here yet.
    case messageHinted(TxID, conversation: String?)
    /// So many messages came at once.
    case messages(conversation: String, count: Int)
    /// The read position of a conversation moved.
    case readState(String)
    /// The unread count of a conversation may have changed, by something else than messages that were added.
    case unread(String)
    /// Title, participants or flags of a conversation.
    case conversation(String)
    /// What a device says of itself, or whether it is retired.
    case device(LaneID)
    /// The account is in this group from now on.
    case groupJoined(ZoneID)
    /// Something else about a group: it was left, its keys or its title changed, somebody posted.
    case group(ZoneID)
    /// Some achievement of the account.
    case achievements
    /// The account's own state.
    case account
    /// The zone's state, in one word.
    case sync(String)
}
