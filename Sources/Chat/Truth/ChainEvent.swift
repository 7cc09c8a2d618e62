package import NodeCore
import SyncState

/// What an app hears of the chain about one message. Fields that are nil were not told.
package struct ChainEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// It is in a block, or accepted.
        case confirm
        /// It is no longer where it was; without a score it is out of the chain.
        case reorg
    }

    package var txid: TxID
    package var kind: Kind
    /// Milliseconds since 1970.
    package var blockTime: UInt64?
    package var acceptingDaaScore: UInt64?
    package var status: MessageStatus?

    package init(
        txid: TxID, kind: Kind, blockTime: UInt64? = nil, acceptingDaaScore: UInt64? = nil,
        status: MessageStatus? = nil
    ) {
        self.txid = txid
        self.kind = kind
        self.blockTime = blockTime
        self.acceptingDaaScore = acceptingDaaScore
        self.status = status
    }

    /// Throws what is wrong with the first field that is beyond its limit.
    package func validate() throws(ChatMessageError) {
        for (field, value, limit) in [
            ("blockTime", blockTime, Limits.timeMilliseconds),
            ("acceptingDaaScore", acceptingDaaScore, Limits.acceptingDaaScore),
        ] {
            guard value ?? 0 <= limit else { throw ChatMessageError(field: field, reason: .tooLarge(limit: limit)) }
        }
    }

    /// The fact that this event makes of what was known before: one revision above it.
    ///
    /// - Throws: `ChatError.revisionsExhausted` where there is none.
    func fact(after known: ChainFact?) throws(ChatError) -> ChainFact {
        let revision = known?.revision ?? 0
        guard revision < SyncState.Limits.revision else { throw .revisionsExhausted }
        let score = kind == .reorg ? acceptingDaaScore : acceptingDaaScore ?? known?.acceptingDaaScore
        return ChainFact(
            txid: txid, revision: revision + 1, blockTime: blockTime ?? known?.blockTime, acceptingDaaScore: score,
            status: status ?? implied(hasScore: score != nil))
    }

    private func implied(hasScore: Bool) -> MessageStatus {
        switch kind {
        case .reorg: .reorged
        // Who says no more than "confirmed" means it.
        case .confirm: hasScore || blockTime == nil ? .confirmed : .seen
        }
    }
}
