package import NodeCore

/// A point on the score scale: the accepting score of a message, then its txid.
package struct ScorePoint: Sendable, Hashable, Comparable {
    package let acceptingDaaScore: UInt64
    package let txid: TxID

    package init(acceptingDaaScore: UInt64, txid: TxID) {
        self.acceptingDaaScore = acceptingDaaScore
        self.txid = txid
    }

    package static func < (left: ScorePoint, right: ScorePoint) -> Bool {
        left.acceptingDaaScore != right.acceptingDaaScore
            ? left.acceptingDaaScore < right.acceptingDaaScore : left.txid < right.txid
    }
}
