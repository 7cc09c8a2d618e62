import NodeCore

/// Messages that a mark may name although they are not where they were: the chain moved them (they had a score and got
/// another, or lost it), or nobody has them any more.
///
/// Moved ones are judged again, and so is what a mark up to one of them covers (docs/PROTOCOL-CHAT.md, §4.6). A mark up
/// to one that is lost covers nothing, nor does one up to a message that a device lacks since its home was damaged,
/// until it has it again. For these alone a read position may go back.
struct MovedMessages {
    private struct Place {
        var conversation = ""
        /// Its sender's time and its block's, in milliseconds: what a mark up to it may reach.
        var times: Set<UInt64> = []
        /// All that its copies and the chain said of it; nil for none after a word of the chain.
        var scores: Set<UInt64?> = []
        var isLost = false

        var isMoved: Bool { scores.count > 1 || isLost }
    }

    private var places: [TxID: Place] = [:]
    private var conversationsWithLost: Set<String> = []

    mutating func offer(_ message: WorkloadMessage) {
        places[message.txid, default: Place()].conversation = message.conversation
        let times = [message.senderSeconds * 1_000, message.blockMilliseconds].compactMap { $0 }
        places[message.txid]?.times.formUnion(times.map { UInt64(max($0, 0)) })
        if let score = message.acceptingDaaScore { places[message.txid]?.scores.insert(score) }
    }

    mutating func offer(_ word: ChainWord, of txid: TxID) {
        let score: UInt64? = if case .confirmed(let score) = word { score } else { nil }
        places[txid, default: Place()].scores.insert(score)
    }

    /// Nobody is known to have these any more.
    mutating func lose(_ txids: Set<TxID>) {
        for txid in txids {
            places[txid]?.isLost = true
            if let place = places[txid] { conversationsWithLost.insert(place.conversation) }
        }
    }

    /// Those of these messages that stay read once they were.
    ///
    /// - Parameter vanished: those that the device lacks since its home was damaged.
    func stayingRead(_ txids: Set<TxID>, without vanished: Set<TxID>) -> Set<TxID> {
        let incomplete = conversationsWithLost.union(vanished.compactMap { places[$0]?.conversation })
        // A mark up to a message that lost its score reaches by time, and to its point again once that is back: what
        // has no score, and stands before it by time, is covered only meanwhile.
        let moved = Set(places.values.filter(\.isMoved).map(\.conversation))
        return txids.filter { txid in
            guard let place = places[txid] else { return true }
            let isCoveredByTime = place.scores.allSatisfy { $0 == nil } && moved.contains(place.conversation)
            return !place.isMoved && !isCoveredByTime && !incomplete.contains(place.conversation)
        }
    }

    /// Whether nothing is left of a conversation: messages of it are lost, and none is among these.
    func isGone(_ conversation: String, besides held: Set<TxID>) -> Bool {
        conversationsWithLost.contains(conversation) && !held.contains { places[$0]?.conversation == conversation }
    }

    /// Whether a position in a conversation follows a message that was moved.
    ///
    /// - Parameters:
    ///   - scale: a score and its message's txid, or a time, as `NodeObservation.Read` has them.
    ///   - vanished: messages that the device lacks since its home was damaged.
    func mayGoBack(from scale: [UInt8], in conversation: String, without vanished: Set<TxID>) -> Bool {
        if let txid = TxID(bytes: Array(scale.dropFirst(8))) {
            return places[txid]?.isMoved == true || vanished.contains(txid)
        }
        let time = scale.reduce(0) { $0 << 8 | UInt64($1) }
        return places.contains { txid, place in
            (place.isMoved || vanished.contains(txid)) && place.conversation == conversation
                && place.times.contains(time)
        }
    }
}
