package import NodeCore

/// The engine's view of a zone that knows of messages without their bodies (docs/PROTOCOL.md, §9.6).
package protocol MissedMessages: AnyObject {
    /// The messages found missing since the last call, latest last; after a rollback all of them.
    func takeFreshlyMissed() -> [TxID]
    func isMissed(_ txid: TxID) -> Bool
    /// The missing messages whose bodies a record's segment may hold, judged by the prefixes in its meta.
    func missed(perhapsIn record: Record) -> [TxID]
    /// The record of a held segment that contains this message's body; nil if there is none.
    func record(holding txid: TxID) throws -> Record?
    /// Cuts at once the groups in which any of these messages wait: another device asks for them.
    func cut(holding txids: [TxID], now: MonotonicTime) throws
}
