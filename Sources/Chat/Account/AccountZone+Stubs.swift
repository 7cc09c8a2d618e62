package import NodeCore
package import SyncState

/// Stubs, and what the devices of an account answer each other about them.
extension AccountZone: MissedMessages {
    /// An app knows that a message exists, and has no body of it: a push came, or an import lacked it. Durable with the
    /// next commit; does nothing where the body is held.
    ///
    /// - Throws: `ChatMessageError` with the field and the limit, `ChatError.tooManyStubs`; nothing is changed then.
    package func hint(_ stub: Stub) throws -> HintOutcome {
        try store.begin()
        defer { publishLater() }
        return try chat.hint(stub)
    }

    package var messages: (any MissedMessages)? { self }

    package func takeFreshlyMissed() -> [TxID] { chat.stubs.takeFresh() }

    package func isMissed(_ txid: TxID) -> Bool { chat.stubs.contains(txid) }

    package func missed(perhapsIn record: Record) -> [TxID] {
        guard !chat.stubs.isEmpty, let meta = segments.meta(of: record) else { return [] }
        return chat.stubs.candidates(in: meta)
    }

    package func record(holding txid: TxID) throws -> Record? {
        guard let arrival = try chat.arrival(holding: txid) else { return nil }
        return try store.record(ofArrival: Int64(arrival))
    }

    package func cut(holding txids: [TxID], now: MonotonicTime) throws {
        let groups = try chat.queuedGroups(of: txids)
        guard !groups.isEmpty else { return }
        try store.begin()
        try chat.cut(groups.map { ArchiveQueue.Due(group: $0, part: .whole) }) { try write($0) }
    }
}
