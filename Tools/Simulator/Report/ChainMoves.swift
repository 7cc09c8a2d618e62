import NodeCore

/// Which messages the chain has moved: those that had a score and got another, or lost it.
///
/// They are judged again, and so is what a mark up to one of them covers (docs/PROTOCOL-CHAT.md, §4.6): for them alone
/// a read position may go back.
struct ChainMoves {
    private struct Places {
        var conversation = ""
        /// Its sender's time and its block's, in milliseconds: what a mark up to it may reach.
        var times: Set<UInt64> = []
        /// All that its copies and the chain said of it; nil for none after a word of the chain.
        var scores: Set<UInt64?> = []

        var isMoved: Bool { scores.count > 1 }
    }

    private var places: [TxID: Places] = [:]

    mutating func offer(_ message: WorkloadMessage) {
        places[message.txid, default: Places()].conversation = message.conversation
        let times = [message.senderSeconds * 1_000, message.blockMilliseconds].compactMap { $0 }
        places[message.txid]?.times.formUnion(times.map { UInt64(max($0, 0)) })
        if let score = message.acceptingDaaScore { places[message.txid]?.scores.insert(score) }
    }

    mutating func offer(_ word: ChainWord, of txid: TxID) {
        let score: UInt64? = if case .confirmed(let score) = word { score } else { nil }
        places[txid, default: Places()].scores.insert(score)
    }

    /// Those of these messages that are where they were.
    func unmoved(_ txids: Set<TxID>) -> Set<TxID> { txids.filter { places[$0]?.isMoved != true } }

    /// Whether a position in a conversation follows a message that was moved.
    ///
    /// - Parameter scale: a score and its message's txid, or a time, as `NodeObservation.Read` has them.
    func mayGoBack(from scale: [UInt8], in conversation: String) -> Bool {
        if let txid = TxID(bytes: Array(scale.dropFirst(8))) { return places[txid]?.isMoved == true }
        let time = scale.reduce(0) { $0 << 8 | UInt64($1) }
        return places.values.contains { $0.isMoved && $0.conversation == conversation && $0.times.contains(time) }
    }
}
