package import NodeCore

/// What an observer sees of a node between two turns.
package struct NodeObservation: Hashable, Sendable {
    /// A read position: on each scale it may only grow, bytes compared lexicographically.
    package struct Read: Hashable, Sendable {
        package let conversation: String
        package let scales: [[UInt8]]

        package init(conversation: String, scales: [[UInt8]]) {
            self.conversation = conversation
            self.scales = scales
        }
    }

    /// A queue or table with its bound.
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
    /// All messages held with their body, ascending; nil unless asked for.
    package var messages: [TxID]?
    /// All that a user sees, texts and order as hashes: a line each conversation. Empty unless asked for.
    package var content: [String]
    /// Received messages shown as unread; empty unless asked for.
    package var unread: Set<TxID> = []
    /// What the chain said of each message, as it is shown; empty unless asked for.
    package var words: [TxID: ChainWord] = [:]
    /// Messages that stand as stubs, without a body; empty unless asked for.
    package var stubs: Set<TxID> = []
    /// Conversations whose counts are not those of their messages, in words.
    package var wrongCounts: [String] = []
    /// Ascending by conversation.
    package var reads: [Read]
    package var gauges: [Gauge]
    /// What is known of and not yet here.
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
