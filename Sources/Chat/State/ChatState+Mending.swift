import SyncState

/// What rotted, and is derived from segments and queue once more (docs/STORAGE.md, §8).
extension ChatState {
    /// Segments that are held and could not be opened since this was last asked.
    package func takeSuspects() -> [UInt64] { reader.takeSuspects() }
    package var hasSuspects: Bool { !reader.suspects.isEmpty }

    /// Checks the trees, and where one is damaged derives all of them anew: 1,000,000 messages take some seconds.
    ///
    /// - Returns: whether that was done.
    package func mendIndex() throws -> Bool {
        try synchronise()
        guard try !index.isSound() else { return false }
        try database.transaction {
            try index.removeAll()
            try conversations.resetCounts()
            try queue.forgetGone()
            conversations.forget()
            reader.forget()
            try index.load()
            try queue.load(indexed: index.flushedRow)
            isDerived = false
            try flush()
        }
        return true
    }

    /// Queued messages whose rows cannot be opened any more.
    package func countUnreadableQueued() throws -> Int {
        try queue.rows().count { try queue.message(row: $0.row) == nil }
    }
}

extension MessageIndex {
    func isSound() throws -> Bool { try byHash.isSound() && byOrder.isSound() && copies.isSound() }

    /// As of a database without messages; overlays are to be told anew.
    func removeAll() throws {
        for tree in [byHash, byOrder, copies] { try tree.removeAll() }
        try database.execute(
            """
            DELETE FROM txid_collision; DELETE FROM chat_state;
            UPDATE message_overlay SET listed = NULL, touched = 1
            """)
    }
}

extension ConversationTable {
    func resetCounts() throws {
        try database.execute(
            "UPDATE conversation SET messages = 0, received = 0, unread = 0, newest = NULL, swept = NULL")
    }
}
