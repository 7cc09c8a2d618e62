package import NodeCore

/// A copy of a message that is held here.
package struct MessageCopy: Sendable, Equatable {
    package enum Place: Sendable, Equatable {
        /// It waits here for its segment to be cut.
        case queue
        /// In the segment whose blob stands under that arrival.
        case segment(arrival: Int64)
    }

    package let place: Place
    /// This is the copy that is listed.
    package let isShown: Bool
}

extension ChatState {
    /// Where the copies of a message are, the one that is shown first.
    package func copies(of txid: TxID) throws -> [MessageCopy] {
        try query {
            let hash = index.hash(txid)
            guard let found = try index.findInTrees(txid, hash: hash), found.message != nil else { return [] }
            let others = try index.copies(hash: hash).filter { location in
                try location != found.holder.location && reader.message(at: location)?.txid == txid
            }
            return [copy(found.holder.location, isShown: true)] + others.map { copy($0, isShown: false) }
        }
    }

    private func copy(_ location: MessageLocation, isShown: Bool) -> MessageCopy {
        MessageCopy(
            place: location.isQueued ? .queue : .segment(arrival: Int64(location.id)), isShown: isShown)
    }
}
