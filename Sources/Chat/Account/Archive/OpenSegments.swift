import NodeCore
import SyncState

/// Segments that later messages may join: for each conversation and day, the latest one that this running instance cut.
///
/// Messages that come one by one, and are wanted on other devices at once, would leave a segment each. So a new segment
/// replaces the last one, and holds that one's messages and its own. A message is sent again at most as often as
/// messages fit into one.
///
/// Another instance joins none of them and begins a segment of its own: it may be a copy of this one, or an older
/// state, and would replace messages that it does not have. Forgetting a segment costs no more.
struct OpenSegments {
    private struct Group: Hashable {
        let conversation: ExactText
        let day: UInt64

        init(_ conversation: String, day: UInt64) {
            self.conversation = ExactText(conversation)
            self.day = day
        }
    }

    private struct Entry {
        let name: SegmentName
        /// The running time at which it was begun.
        let since: Duration
    }

    private var entries: [Group: Entry] = [:]
    /// A ring, so that the oldest is replaced.
    private var groups: [Group] = []
    private var oldest = 0

    /// For one day only: the rewriting a week after a deletion, and a removal that goes back to a date, then meet
    /// segments that nothing joins any more.
    func find(_ conversation: String, day: UInt64, now: Duration) -> SegmentName? {
        guard let entry = entries[Group(conversation, day: day)], now <= entry.since + Limits.joinedFor else {
            return nil
        }
        return entry.name
    }

    /// Notes a segment that was cut, perhaps in place of an earlier one of its name.
    mutating func note(_ name: SegmentName, now: Duration) {
        let group = Group(name.conversationID, day: name.dayBucket)
        if let entry = entries[group], entry.name == name { return }
        guard entries.updateValue(Entry(name: name, since: now), forKey: group) == nil else { return }
        if groups.count < Limits.openSegmentsNoted { return groups.append(group) }
        entries[groups[oldest]] = nil
        groups[oldest] = group
        oldest = (oldest + 1) % groups.count
    }
}
