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

/// A chat message of the workload.
package struct WorkloadMessage: Hashable, Sendable {
    package let txid: TxID
    package let conversation: String
    package let isReceived: Bool
    package let senderSeconds: Int64
    /// Both nil while the message is pending.
    package let blockMilliseconds: Int64?
    package let acceptingDaaScore: UInt64?
    package let body: String
}

/// The result of an operation.
package enum WorkloadResult: Hashable, Sendable {
    /// Durable: it must survive from now on.
    case acknowledged
    /// Valid, with nothing to do.
    case unchanged
    /// It could not be done now, and nothing was promised: the disk is full.
    case failed
    /// Refused although it was valid, with the reason.
    case refused(String)
}

/// The chain's state of a message.
package enum ChainWord: Hashable, Sendable {
    case confirmed(acceptingDaaScore: UInt64)
    /// It was removed from the chain.
    case reorged
    /// None of these yet.
    case pending
}
