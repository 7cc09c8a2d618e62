import NodeCore
import SyncState

/// `message search`: hits as they become certain, the newest first. The reader's pace is the search's.
final class MessageSearchOperation: ControlOperation {
    let changesData = false
    private let search: MessageSearch
    private let limit: Int
    private var found = 0

    init(account: NodeAccount, request: ControlRequest) throws(NodeError) {
        let limit = request.number("--limit") ?? Limits.usualSearchHits
        guard (1...UInt64(Limits.searchHits)).contains(limit) else {
            throw NodeError(.usage, "--limit must be a whole number from 1 to \(Limits.searchHits)")
        }
        self.limit = Int(limit)
        let times = try Self.times(request)
        do {
            let query = try SearchQuery(request.arguments["WORDS"]?.joined(separator: " ") ?? "")
            search = try MessageSearch(
                account.zone.chat, for: query, conversation: request.text("--conversation"), times: times,
                limit: self.limit)
        } catch let error as SearchQueryError {
            throw NodeError(.usage, "\(error)")
        } catch {
            throw NodeError(cause: error)
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

    func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            for message in try search.step(work: Limits.searchSliceSegments) {
                reply.data(message.json)
                found += 1
            }
        } catch {
            throw NodeError(cause: error)
        }
        guard search.isDone else { return .again }
        if found == limit { reply.note("stopped after \(limit) hits: `--limit N` shows more") }
        return .done
    }
}
