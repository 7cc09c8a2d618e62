import Chat
import Node
import NodeCore
import SyncState

/// The list of all conversations with their unread counts, computed as for `conversation list`: the first time after
/// the start, and the following ones.
struct ConversationsRow {
    let options: BenchOptions
    let home: String
    let messages: Int

    func measure() throws -> [Figure] {
        var (first, later): ([Double], [Double]) = ([], [])
        var count = 0
        for _ in 0..<max(options.runs, 5) {
            try OfflineHome.use(HomeFolder(path: home)) { zone in
                first.append(try time(zone, &count))
                for _ in 0..<20 { later.append(try time(zone, &count)) }
            }
        }
        let what = "\(count) conversations, \(messages) messages"
        return [
            Figure(row: "conversations", what: what, value: later.median, unit: "ms", goal: .atMost(10)),
            Figure(row: "conversations", what: "the first after a start", value: first.median, unit: "ms"),
        ]
    }

    private func time(_ zone: AccountZone, _ count: inout Int) throws -> Double {
        let clock = SystemClock()
        let start = clock.now().nanoseconds
        count = try zone.chat.conversationList().count
        return Double(clock.now().nanoseconds - start) / 1e6
    }
}
