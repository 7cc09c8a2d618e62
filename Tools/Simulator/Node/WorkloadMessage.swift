package import NodeCore

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
