package import NodeCore

/// What the user of a node does.
package enum WorkloadOperation: Hashable, Sendable {
    case message(WorkloadMessage)
    /// A push said that there is this message.
    case hint(WorkloadMessage)
    /// The chain's word on a message, whether or not it is held.
    case chain(TxID, ChainWord)
    /// Up to the newest received message.
    case markRead(conversation: String)
    case markUnread(conversation: String)
    /// Leaves the conversation: a stable point of reading.
    case leave(conversation: String)
    case pin(conversation: String, Bool)
    case delete(TxID)
    /// Another name for the device at that place of this one's list, counted around.
    case rename(place: Int, to: String)
    /// Cuts what is queued and publishes what was read.
    case flush
    /// In a group.
    case group(GroupDeed)
}
