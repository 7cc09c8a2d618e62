/// What the user of a node does.
package enum WorkloadOperation: Hashable, Sendable {
    case message(WorkloadMessage)
    /// Up to the newest received message.
    case markRead(conversation: String)
    /// Leaves the conversation: a stable point of reading.
    case leave(conversation: String)
    /// Cuts what is queued and publishes what was read.
    case flush
}
