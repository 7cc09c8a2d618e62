package import NodeCore

/// Two copies of one message met: what each had, and which of them is shown from now on. Without any word of it, so
/// that a log may tell it.
package struct MessageMerge: Sendable, Equatable {
    package struct Side: Sendable, Equatable {
        package let bodyBytes: Int
        package let attachments: Int
        package let status: String
        package let acceptingDaaScore: UInt64?
        /// Milliseconds since 1970.
        package let blockTime: UInt64?

        init(_ message: ChatMessage) {
            bodyBytes = message.body.utf8.count
            attachments = message.attachments.count
            status = message.status.name
            acceptingDaaScore = message.acceptingDaaScore
            blockTime = message.blockTime
        }
    }

    package let txid: TxID
    /// The copy that was shown until now.
    package let held: Side
    /// The one that came.
    package let given: Side
    /// Whether what their sender wrote is the same.
    package let isSameContent: Bool
    package let isGivenShown: Bool

    init(held: ChatMessage, given: ChatMessage, isGivenShown: Bool) {
        txid = given.txid
        self.held = Side(held)
        self.given = Side(given)
        isSameContent = held.contentBytes == given.contentBytes
        self.isGivenShown = isGivenShown
    }
}

extension ChatState {
    /// Told of each message of which another copy came.
    package var whenMerged: ((MessageMerge) -> Void)? {
        get { index.whenMerged }
        set { index.whenMerged = newValue }
    }
}
