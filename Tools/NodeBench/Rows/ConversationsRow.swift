import Chat
import Node
import ProcessHarness
import SyncState

/// The list of all conversations with their unread counts, computed as for `conversation list`: the first time after
/// the start, and the following ones.
struct ConversationsRow {
    let options: BenchOptions
    let source: FilledHome

    func measure() throws -> [Figure] {
        var (first, later): ([Double], [Double]) = ([], [])
        var count = 0
        for _ in 0..<max(options.runs, 5) {
            try OfflineHome.use(source.home) { zone in
                first.append(try time(zone, &count))
                for _ in 0..<20 { later.append(try time(zone, &count)) }
            }
        }
        let what = "\(count) conversations, \(source.messages) messages"
        return [
            Figure("conversations", what, later.median, "ms", goal: .atMost(10)),
            Figure("conversations", "the first after a start", first.median, "ms"),
        ]
    }

    private func time(_ zone: AccountZone, _ count: inout Int) throws -> Double {
        let time = Stopwatch()
        count = try zone.chat.conversationList().count
        return time.milliseconds
    }
}
