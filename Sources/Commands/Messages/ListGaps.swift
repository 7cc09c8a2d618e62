import Chat
import Node
import NodeCore
import SyncState

/// The gaps in a conversation's list. In a list with the newest first, a gap stands before the first row that is not
/// newer than its last message.
struct ListGaps {
    /// Not listed yet; the one with the newest last message comes first.
    private var waiting: ArraySlice<MissingSegment>
    private let devices: [DeviceReport]

    /// - Parameters:
    ///   - cursor: the row before the first one; gaps before it were listed with it.
    ///   - latest: the list begins at this time, in seconds by the senders' clocks; nil if it begins with a row.
    init(
        _ conversation: String, before cursor: MessageCursor?, upTo latest: UInt64? = nil, account: NodeAccount,
        node: LocalNode
    ) throws {
        var found = try account.zone.archive.missingSegments(of: conversation, limit: Limits.gapRows)
            .filter { $0.sum.messages > 0 }
            .sorted { $0.times.upperBound > $1.times.upperBound }
        if let latest {
            found.removeAll { $0.times.upperBound > latest }
        } else if !found.isEmpty, let cursor, let time = try Self.time(of: cursor, in: account.zone.chat) {
            found.removeAll { $0.times.upperBound >= time }
        }
        waiting = found[...]
        devices = try found.isEmpty ? [] : account.devices(node.network?.served(account), clock: node.clock)
    }

    /// Messages missing before the first of these rows; nil if there are none. A row in no block stands above all rows
    /// in blocks, and may be older than they are.
    package mutating func take(before rows: ArraySlice<ListedRow>) -> MissingMessages? {
        guard !waiting.isEmpty, let latest = rows.map(\.senderTimestamp).max(), latest > 0 else { return nil }
        let end = waiting.firstIndex { $0.times.upperBound < latest } ?? waiting.endIndex
        defer { waiting = waiting[end...] }
        return MissingMessages(waiting[..<end], among: devices)
    }

    /// Messages missing after the last row; nil if there are none.
    mutating func takeRest() -> MissingMessages? {
        defer { waiting = [] }
        return MissingMessages(waiting, among: devices)
    }

    /// A row's time by its sender's clock, in seconds; nil if unknown.
    private static func time(of cursor: MessageCursor, in chat: ChatState) throws -> UInt64? {
        let time = try chat.message(cursor.txid)?.message.senderTimestamp ?? chat.stub(cursor.txid)?.senderTimestamp
        return time.flatMap { $0 > 0 ? $0 : nil }
    }
}

extension ListedRow {
    /// In seconds; 0 if unknown.
    fileprivate var senderTimestamp: UInt64 {
        switch self {
        case .message(let listed): listed.message.senderTimestamp
        case .stub(let stub): stub.senderTimestamp
        }
    }
}
