import Chat
import Node
import NodeCore
import NodeModel
import SyncState

enum MessageSearching {
    static let words = Parameter.texts("WORDS", .text("WORDS"), "words, or phrases in double quotes").requested(.words)
    static let conversation = Parameter.text("--conversation", .conversation("C"), "only in this conversation")
    static let from = Parameter.day("--from", "from this day (UTC)").requested(.day)
    static let to = Parameter.day("--to", "to the end of this day (UTC)").requested(.day)
    static let limit = Parameter.number(
        "--limit", "N", 1...UInt64(Limits.searchHits), "maximum number (default: \(Limits.usualSearchHits))"
    ).requested(.value(Endpoint.pageLimit), standard: "\(Limits.usualSearchHits)")
}

/// `message search`: sends hits as they become certain, newest first, at the reader's pace.
final class MessageSearchOperation: Operation {
    let changesData = false
    private let account: NodeAccount
    private let node: LocalNode
    private let query: SearchQuery
    private let conversation: String?
    /// In milliseconds.
    private let times: Range<UInt64>
    /// Hits that pages before this one had, and hits of this one.
    private let (skips, limit): (Int, Int)
    private var search: MessageSearch?
    private var found = 0

    init(_ call: Call) throws {
        account = try call.account
        node = call.node
        // Behind the most hits is nothing.
        skips = min(call[Call.pageCursor] ?? 0, Limits.searchHits)
        limit = min(call[MessageSearching.limit] ?? Limits.usualSearchHits, Limits.searchHits - skips)
        conversation = call[MessageSearching.conversation]
        let from = call[MessageSearching.from].map { UInt64($0.start.milliseconds) } ?? 0
        let to = call[MessageSearching.to].map { UInt64($0.end.milliseconds) } ?? .max
        guard from < to else {
            throw NodeError.wrong(MessageSearching.to, "is a day before \(parameter: MessageSearching.from.spec.name)")
        }
        times = from..<to
        do {
            query = try SearchQuery(try call.need(MessageSearching.words).joined(separator: " "))
        } catch {
            throw NodeError(.usage, "\(error)").blaming(MessageSearching.words.spec.name)
        }
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        guard limit > 0 else { return .done }
        do {
            let search =
                try search ?? MessageSearch(chat, for: query, conversation: conversation, times: times, limit: most)
            self.search = search
            give(try search.step(work: Limits.searchSliceSegments), &reply)
            guard search.isDone else { return .again }
        } catch let error as DatabaseError where error.isDiskFull && found == 0 {
            // A search in slices needs a temporary table. Without room for one, sync waits for the whole search.
            let hits = try MessageSearch.all(chat, for: query, conversation: conversation, times: times, limit: most)
            give(hits, &reply)
        }
        // At the maximum number of hits it is unknown whether there are more, and no page continues.
        if found == min(most, Limits.searchHits) {
            if found == most { reply.more(from: String(skips + limit)) }
            reply.note("stopped after \(Wording.count(limit, "hit")): a larger limit shows more")
        }
        try noteMissing(&reply)
        return .done
    }

    /// Says what of these conversations, and of these days, is not here to be searched.
    private func noteMissing(_ reply: inout CommandReply) throws {
        let missing = try account.zone.archive.missingSegments(of: conversation, limit: Limits.gapRows).filter {
            $0.sum.messages > 0 && $0.times.upperBound * 1_000 >= times.lowerBound
                && $0.times.lowerBound * 1_000 < times.upperBound
        }
        guard !missing.isEmpty else { return }
        let devices = try account.devices(node.network?.served(account), clock: node.clock)
        if let missing = MissingMessages(missing, among: devices) { reply.note("not searched: \(missing.sentence)") }
    }

    private var chat: ChatState { account.zone.chat }
    /// One more than are shown tells whether there are more.
    private var most: Int { skips + limit + 1 }

    private func give(_ hits: [ListedMessage], _ reply: inout CommandReply) {
        for message in hits {
            found += 1
            if found > skips, found < most { reply.data(Message(message)) }
        }
    }
}
