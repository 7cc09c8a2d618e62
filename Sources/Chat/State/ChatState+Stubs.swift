package import NodeCore

/// Stubs: messages that are known to exist, and whose bodies are not here yet.
extension ChatState {
    /// All stubs. After a rollback they are read again on the next use.
    package var stubs: StubTable {
        // If that fails, so will the next query of the table, and report why.
        try? reloadIfRolledBack()
        return stubTable
    }

    /// Stores a stub, durable with the caller's commit. Does nothing if the body is held: content is never replaced.
    ///
    /// - Throws: `ChatMessageError` if a field exceeds its limit, `ChatError.tooManyStubs`.
    package func hint(_ stub: Stub) throws -> HintOutcome {
        try stub.validate()
        try synchronise()
        // A deleted message needs no body any more.
        if try isDeleted(stub.txid) || holdsBody(of: stub.txid) { return .held }
        let isNew = try stubs.put(stub)
        try learnPlace(of: stub)
        guard isNew else { return .known }
        changes?.note(.messageHinted, stub.txid, conversation: stub.conversationID)
        return .new
    }

    /// Chain data of a stub stays when the body arrives, and goes to the other devices: as a fact of the first
    /// revision, if none is known.
    private func learnPlace(of stub: Stub) throws {
        guard stub.blockTime != nil || stub.acceptingDaaScore != nil else { return }
        let hash = index.hash(stub.txid)
        let overlay = try index.overlays.find(stub.txid, hash: hash)
        guard overlay?.fact == nil else { return }
        let fact = ChainFact(
            txid: stub.txid, revision: 1, blockTime: stub.blockTime, acceptingDaaScore: stub.acceptingDaaScore,
            status: .implied(hasBlockTime: stub.blockTime != nil, hasScore: stub.acceptingDaaScore != nil))
        if let copy = try index.find(stub.txid, hash: hash)?.message { try reads.keep(copy, fact.applied(to: copy)) }
        try put(fact, overlay, hash: hash, isOwn: true)
    }

    /// Whether the content of a message is held.
    package func holdsBody(of txid: TxID) throws -> Bool {
        try synchronise()
        return try index.find(txid, hash: index.hash(txid))?.message?.hasContent ?? false
    }

    /// The arrival of the segment whose copy of the body is shown; nil if the message is queued or not held.
    func arrival(holding txid: TxID) throws -> UInt64? {
        try synchronise()
        guard let found = try index.find(txid, hash: index.hash(txid)), found.message?.hasContent == true,
            !found.holder.location.isQueued
        else { return nil }
        return found.holder.location.id
    }

    /// The stub of a message without a copy here; nil if there is none.
    package func stub(_ txid: TxID) throws -> Stub? {
        try synchronise()
        guard let stub = try stubs.find(txid), try index.find(txid, hash: index.hash(txid))?.message == nil else {
            return nil
        }
        return stub
    }

    /// Stubs of messages without a copy here, newest first: of a conversation, or all.
    ///
    /// - Parameter cursor: of the last one of the previous page; nil starts with the newest.
    package func missedMessages(
        conversation: String? = nil, before cursor: MessageCursor? = nil, limit: Int
    ) throws -> [Stub] {
        try synchronise()
        var cursor = cursor
        while true {
            let page = try stubs.list(conversation: conversation, before: cursor, limit: limit)
            let missed = try page.filter { try index.find($0.txid, hash: index.hash($0.txid))?.message == nil }
            guard missed.isEmpty, let last = page.last else { return missed }
            cursor = last.cursor
        }
    }

    /// Messages and stubs of a conversation in one list, newest first.
    ///
    /// - Parameters:
    ///   - cursor: of the last one of the previous page; nil starts with the newest.
    ///   - limit: at most 1,000.
    package func rows(
        conversation: String, before cursor: MessageCursor? = nil, limit: Int
    ) throws -> [ListedRow] {
        var rows = try messages(conversation: conversation, before: cursor, limit: limit).map { ListedRow.message($0) }
        guard !stubs.isEmpty else { return rows }
        rows += try missedMessages(conversation: conversation, before: cursor, limit: limit).map { .stub($0) }
        rows.sort { $0.cursor > $1.cursor }
        return Array(rows.prefix(min(limit, Limits.listedMessages)))
    }
}

/// An entry in a conversation's list.
package enum ListedRow: Sendable, Equatable {
    case message(ListedMessage)
    case stub(Stub)

    package var cursor: MessageCursor {
        switch self {
        case .message(let message): message.cursor
        case .stub(let stub): stub.cursor
        }
    }
}
