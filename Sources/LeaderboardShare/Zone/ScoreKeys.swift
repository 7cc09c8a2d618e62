import Ledger
import NodeCore
import SyncState

/// A key per member that determines which of its scores are counted, by the ledger: the rules of its lanes, and how
/// much is here of the way to the heads up to which a lane counts. None for those who are suspended, were removed, or
/// left: their results stay, and neither show nor win.
struct ScoreKeys {
    private var known: [MemberID: Bytes16]?
    /// The numbers of rows on which the known keys depend.
    private var rows: [LaneID: Int] = [:]

    /// The ledger has changed.
    mutating func forget() { known = nil }

    mutating func keys(_ state: LedgerState, _ rules: GroupRows, _ store: ZoneStore) throws -> [MemberID: Bytes16] {
        if let known, rows.allSatisfy({ store.lane($0)?.rows ?? 0 == $1 }) { return known }
        rows = [:]
        var keys: [MemberID: Bytes16] = [:]
        for member in Set(state.members.keys).subtracting(state.suspended) {
            var bytes: [UInt8] = []
            for lane in state.lanes(of: member) {
                switch rules.rule(of: lane, needing: .member) {
                case .none, .listed: continue
                case .all: bytes += lane.lane.bytes + [0]
                case .behind(let each):
                    rows[lane.lane] = store.lane(lane.lane)?.rows ?? 0
                    bytes += lane.lane.bytes
                    for heads in each {
                        let here = try rules.names(behind: heads, in: lane.lane).count
                        bytes += [1] + heads.flatMap(\.bytes) + Bytes16(UInt64(here), 0).bytes
                    }
                }
            }
            if !bytes.isEmpty { keys[member] = Blake2b.hash16(bytes, domain: "kachat score key") }
        }
        known = keys
        return keys
    }
}
