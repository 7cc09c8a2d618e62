import Ledger
import NodeCore
import SyncState

/// The rows of a group but its scores: read from all of them at the start, added to as they arrive, and independent of
/// their order.
struct GroupContents {
    struct Held<Content> {
        /// `Record.name`
        let name: RecordHash
        let lane: LaneID
        let content: Content
    }

    private(set) var games: [Held<GameEntry>] = []
    private(set) var names: [Held<MemberName>] = []
    /// Records of a type that this version does not know.
    private(set) var unknown = 0

    /// Enters a record whose row is held.
    mutating func enter(_ content: GroupRecord?, of record: Record) {
        switch content {
        case .score: break
        case .game(let entry): games.append(Held(name: record.name, lane: record.lane, content: entry))
        case .name(let name): names.append(Held(name: record.name, lane: record.lane, content: name))
        case nil: unknown += 1
        }
    }
}
