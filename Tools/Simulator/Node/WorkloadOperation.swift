package import NodeCore

/// An action of a node's user.
package enum WorkloadOperation: Hashable, Sendable {
    case message(WorkloadMessage)
    /// A push announced this message.
    case hint(WorkloadMessage)
    /// The chain's state of a message, held or not.
    case chain(TxID, ChainWord)
    /// Up to the newest received message.
    case markRead(conversation: String)
    case markUnread(conversation: String)
    /// Leaves the conversation: a stable point for publishing reads.
    case leave(conversation: String)
    case pin(conversation: String, Bool)
    case delete(TxID)
    /// Renames the device at this index of the node's list, modulo its length.
    case rename(place: Int, to: String)
    /// Cuts queued messages and publishes reads.
    case flush
    /// An action in a group.
    case group(GroupDeed)
}
