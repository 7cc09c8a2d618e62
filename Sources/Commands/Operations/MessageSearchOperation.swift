import Chat
import Node
import NodeCore
import SyncState

/// `message search`: hits as they become certain, the newest first. The reader's pace is the search's.
final class MessageSearchOperation: ControlOperation {
    let changesData = false
    private let account: NodeAccount
    private let query: SearchQuery
    private let conversation: String?
    private let times: Range<UInt64>
    private let limit: Int
    private var search: MessageSearch?
    private var found = 0

    init(account: NodeAccount, request: ControlRequest) throws(NodeError) {
        let limit = request.number("--limit") ?? Limits.usualSearchHits
        guard (1...UInt64(Limits.searchHits)).contains(limit) else {
            throw NodeError(.usage, "--limit must be a whole number from 1 to \(Limits.searchHits)")
        }
        self.account = account
        self.limit = Int(limit)
        times = try Self.times(request)
        conversation = request.text("--conversation")
        do {
            query = try SearchQuery(request.arguments["WORDS"]?.joined(separator: " ") ?? "")
        } catch {
            throw NodeError(.usage, "\(error)")
        }
    }

    /// From the beginning of one day to the end of the other, in milliseconds.
    private static func times(_ request: ControlRequest) throws(NodeError) -> Range<UInt64> {
        let from = try day(request, "--from").map { $0.number * CivilDay.milliseconds } ?? 0
        let to = try day(request, "--to").map { ($0.number + 1) * CivilDay.milliseconds } ?? .max
        guard from < to else { throw NodeError(.usage, "--to is a day before --from") }
        return from..<to
    }

    private static func day(_ request: ControlRequest, _ name: String) throws(NodeError) -> CivilDay? {
        guard let text = request.text(name) else { return nil }
        guard let day = CivilDay(text) else { throw NodeError(.usage, "\(name) must be a day such as 2026-11-21") }
        return day
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            let search =
                try search
                ?? MessageSearch(chat, for: query, conversation: conversation, times: times, limit: limit)
            self.search = search
            give(try search.step(work: Limits.searchSliceSegments), &reply)
            guard search.isDone else { return .again }
        } catch let error as DatabaseError where error.isDiskFull && found == 0 {
            try giveAll(&reply)
        } catch {
            throw NodeError(cause: error)
        }
        if found == limit { reply.note("stopped after \(Wording.count(limit, "hit")): `--limit N` shows more") }
        return .done
    }

    private var chat: ChatState { account.zone.chat }

    /// Where nothing can be written, sync waits for the search.
    private func giveAll(_ reply: inout ControlReply) throws(NodeError) {
        do {
            give(
                try MessageSearch.all(chat, for: query, conversation: conversation, times: times, limit: limit), &reply)
        } catch {
            throw NodeError(cause: error)
        }
    }

    private func give(_ hits: [ListedMessage], _ reply: inout ControlReply) {
        for message in hits { reply.data(message.json) }
        found += hits.count
    }
}
