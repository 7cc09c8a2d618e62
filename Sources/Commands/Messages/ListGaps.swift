import Chat
import Node
import NodeCore
import SyncState

/// The places in a conversation's list at which messages are missing. A gap stands in front of the first row, newest
/// first, that is not newer than its last message.
struct ListGaps {
    /// Not told of yet, by the time of their last message, the newest first.
    private var waiting: ArraySlice<MissingSegment>
    private let devices: [DeviceReport]

    /// - Parameter cursor: of the row before the first one; gaps in front of it were told of with it.
    init(_ conversation: String, before cursor: MessageCursor?, account: NodeAccount, node: LocalNode) throws {
        var found = try account.zone.archive.missingSegments(of: conversation, limit: Limits.gapRows)
            .sorted { $0.times.upperBound > $1.times.upperBound }
        if !found.isEmpty, let cursor, let time = try Self.time(of: cursor, in: account.zone.chat) {
            found.removeAll { $0.times.upperBound >= time }
        }
        waiting = found[...]
        devices = try found.isEmpty ? [] : account.devices(node.network?.served(account), clock: node.clock)
    }

    /// What is missing in front of the first of these rows; nil where nothing is. A row that is in no block stands
    /// above all that are, and may be older than these.
    package mutating func take(before rows: ArraySlice<ListedRow>) -> MissingMessages? {
        guard !waiting.isEmpty, let latest = rows.map(\.senderTimestamp).max(), latest > 0 else { return nil }
        let end = waiting.firstIndex { $0.times.upperBound < latest } ?? waiting.endIndex
        defer { waiting = waiting[end...] }
        return MissingMessages(waiting[..<end], among: devices)
    }

    /// What is missing behind the last row of all; nil where nothing is.
    mutating func takeRest() -> MissingMessages? {
        defer { waiting = [] }
        return MissingMessages(waiting, among: devices)
    }

    /// The sender's time of a row, in seconds; nil where nothing tells it.
    private static func time(of cursor: MessageCursor, in chat: ChatState) throws -> UInt64? {
        let time = try chat.message(cursor.txid)?.message.senderTimestamp ?? chat.stub(cursor.txid)?.senderTimestamp
        return time.flatMap { $0 > 0 ? $0 : nil }
    }
}

extension ListedRow {
    /// In seconds; 0 where it is not known.
    fileprivate var senderTimestamp: UInt64 {
        switch self {
        case .message(let listed): listed.message.senderTimestamp
        case .stub(let stub): stub.senderTimestamp
        }
    }
}
