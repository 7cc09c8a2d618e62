package import NodeCore

/// A zone that knows of messages without having their bodies, as the engine sees it (docs/PROTOCOL.md, §9.6).
package protocol MissedMessages: AnyObject {
    /// Those that came since this was last asked, the latest last; after a rollback all of them.
    func takeFreshlyMissed() -> [TxID]
    func isMissed(_ txid: TxID) -> Bool
    /// Those whose bodies a record's segment may hold, by the prefixes in its meta.
    func missed(perhapsIn record: Record) -> [TxID]
    /// The record of a segment that is held and has this message with its body; nil where there is none.
    func record(holding txid: TxID) throws -> Record?
    /// Cuts the groups in which any of these messages wait, at once: another device asks for them.
    func cut(holding txids: [TxID], now: MonotonicTime) throws
}
