package import NodeCore

/// An observer's view of a node between two turns.
package struct NodeObservation: Hashable, Sendable {
    /// A read position: on each scale it may only grow, with bytes compared lexicographically.
    package struct Read: Hashable, Sendable {
        package let conversation: String
        package let scales: [[UInt8]]

        package init(conversation: String, scales: [[UInt8]]) {
            self.conversation = conversation
            self.scales = scales
        }
    }

    /// A queue or table with its limit.
    package struct Gauge: Hashable, Sendable {
        package let name: String
        package let value: Int
        package let limit: Int

        package init(name: String, value: Int, limit: Int) {
            self.name = name
            self.value = value
            self.limit = limit
        }
    }

    package var digest: [UInt8]
    /// All messages held with their body, ascending; nil unless requested.
    package var messages: [TxID]?
    /// Everything a user sees beside what was read, texts and order as hashes: one line per conversation. Empty unless
    /// requested.
    package var content: [String]
    /// Received messages shown as unread; empty unless requested.
    package var unread: Set<TxID> = []
    /// The chain's state of each message as shown; empty unless requested.
    package var words: [TxID: ChainWord] = [:]
    /// Messages that are stubs, without a body; empty unless requested.
    package var stubs: Set<TxID> = []
    /// Descriptions of conversations whose counts differ from their messages.
    package var wrongCounts: [String] = []
    /// Ascending by conversation.
    package var reads: [Read]
    package var gauges: [Gauge]
    /// Number of known items that are not here yet.
    package var missing: Int

    package init(
        digest: [UInt8], messages: [TxID]?, content: [String], reads: [Read], gauges: [Gauge], missing: Int
    ) {
        self.digest = digest
        self.messages = messages
        self.content = content
        self.reads = reads
        self.gauges = gauges
        self.missing = missing
    }
}
