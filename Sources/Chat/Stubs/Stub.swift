package import NodeCore

/// What is known of a message whose body is not here yet: a hint said that it exists, or an import that lacked it.
///
/// Local to this device: never replicated, and neither a message in the counts nor unread.
package struct Stub: Sendable, Equatable {
    package var txid: TxID
    /// Nil where nobody said yet; then it stands in no conversation's list.
    package var conversationID: String?
    package var contact: String?
    package var direction: MessageDirection
    /// Seconds since 1970; when the hint came, where the sender's time is not known.
    package var senderTimestamp: UInt64
    /// Milliseconds since 1970.
    package var blockTime: UInt64?
    package var acceptingDaaScore: UInt64?
    package var hintedAt: WallTime

    package init(
        txid: TxID, conversationID: String? = nil, contact: String? = nil, direction: MessageDirection = .sent,
        senderTimestamp: UInt64? = nil, blockTime: UInt64? = nil, acceptingDaaScore: UInt64? = nil, hintedAt: WallTime
    ) {
        self.txid = txid
        self.conversationID = conversationID
        self.contact = contact
        self.direction = direction
        let hinted = UInt64(clamping: hintedAt.milliseconds / 1_000)
        self.senderTimestamp = senderTimestamp ?? min(hinted, Limits.timestampSeconds)
        self.blockTime = blockTime
        self.acceptingDaaScore = acceptingDaaScore
        self.hintedAt = hintedAt
    }

    /// Where it stands in its conversation until the body says better.
    package var order: MessageOrder {
        MessageOrder(score: acceptingDaaScore, blockTime: blockTime, senderTimestamp: senderTimestamp)
    }

    package var cursor: MessageCursor { MessageCursor(order: order, txid: txid) }

    /// What both tell; what this one tells already stays.
    func completed(by other: Stub) -> Stub {
        var stub = self
        stub.conversationID = conversationID ?? other.conversationID
        stub.contact = contact ?? other.contact
        stub.blockTime = blockTime ?? other.blockTime
        stub.acceptingDaaScore = acceptingDaaScore ?? other.acceptingDaaScore
        return stub
    }

    package func validate() throws(ChatMessageError) {
        if let conversationID {
            guard !conversationID.isEmpty else { throw ChatMessageError(field: "conversationId", reason: .empty) }
            try Self.check("conversationId", conversationID.utf8.count, Limits.conversationIDBytes)
        }
        try Self.check("contact", contact?.utf8.count ?? 0, Limits.contactBytes)
        try Self.check("senderTs", senderTimestamp, Limits.timestampSeconds)
        try Self.check("blockTime", blockTime ?? 0, Limits.timeMilliseconds)
        try Self.check("acceptingDaaScore", acceptingDaaScore ?? 0, Limits.acceptingDaaScore)
    }

    private static func check(_ field: String, _ bytes: Int, _ limit: Int) throws(ChatMessageError) {
        guard bytes <= limit else { throw ChatMessageError(field: field, reason: .tooLong(bytes: bytes, limit: limit)) }
    }

    private static func check(_ field: String, _ value: UInt64, _ limit: UInt64) throws(ChatMessageError) {
        guard value <= limit else { throw ChatMessageError(field: field, reason: .tooLarge(limit: limit)) }
    }
}

/// What became of a hint.
package enum HintOutcome: Sendable, Equatable {
    case new
    /// There is a stub already; the hint may have told more of it.
    case known
    /// The body is here: nothing was done.
    case held
}
