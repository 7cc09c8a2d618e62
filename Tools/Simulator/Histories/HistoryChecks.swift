import ChatTestKit
import NodeCore
import SyncState

/// The ledger of promises. A promise ends only with a fault that destroys the last living copy.
///
/// - C1: the living hold the same rows, and the same heads.
/// - C2: values shown by a node never go back, but between copies of a device, and in the end every living node shows
///   what the registers give: the highest, if nothing was lost.
/// - C3: no record vanishes, unless superseded in its lane.
/// - C4: no alarm without lost or forked data; no fresh start without a cause.
/// - C5: in the end each living node writes a lane of its own, and none one that was succeeded.
struct HistoryChecks {
    private(set) var written: [Record] = []
    private var entered: Set<RecordHash> = []
    private var superseded: Set<RecordHash> = []
    private var lost: Set<RecordHash> = []
    private var shown: [Int: [String: UInt64]] = [:]

    /// - Parameter held: rows of the same slot that the writer held and replaced.
    mutating func wrote(_ record: Record, superseding held: [RecordHash]) {
        if entered.insert(record.hash).inserted { written.append(record) }
        if record.kind == .segment { superseded.formUnion(held) }
    }

    /// A fault took these from one node: those that no living node holds are lost for good.
    mutating func destroyed(_ records: [Record], living: [HistoryNode]) throws {
        for record in records where try !living.contains(where: { try $0.store.holds(record) }) {
            lost.insert(record.hash)
        }
    }

    mutating func storeReplaced(_ node: HistoryNode, conversations: [String]) throws {
        shown[node.number] = [:]
        for conversation in conversations { shown[node.number]?[conversation] = try node.position(conversation) }
    }

    /// True if any value shown by a node went back.
    mutating func step(_ living: [HistoryNode], conversations: [String]) throws -> Bool {
        var hasLowered = false
        for node in living {
            for conversation in conversations {
                let now = try node.position(conversation)
                if now < shown[node.number]?[conversation] ?? 0 { hasLowered = true }
                shown[node.number, default: [:]][conversation] = max(now, shown[node.number]?[conversation] ?? 0)
            }
        }
        return hasLowered
    }

    /// C2 at the end.
    func isLowered(
        _ living: [HistoryNode], _ happened: Set<HistoryFault>, conversations: [String]
    ) throws -> Bool {
        for conversation in conversations {
            let isWhole = happened.isDisjoint(with: HistoryFault.losing)
            let floor = isWhole ? living.map { shown[$0.number]?[conversation] ?? 0 }.max() ?? 0 : 0
            for node in living {
                let value = try node.liveValue(conversation)
                if try value < floor || value != node.position(conversation) { return true }
            }
        }
        return false
    }

    /// C3 at the end.
    func vanished(_ living: [HistoryNode]) throws -> Record? {
        var newest: [String: RowKey] = [:]
        for record in written {
            let key = RowKey(seq: record.seq, hash: record.hash)
            let place = "\(record.lane.hex)/\(record.slot.hex)"
            newest[place] = max(newest[place] ?? key, key)
        }
        for record in written where !lost.contains(record.hash) && !superseded.contains(record.hash) {
            if record.kind == .register {
                let key = RowKey(seq: record.seq, hash: record.hash)
                if let latest = newest["\(record.lane.hex)/\(record.slot.hex)"], key < latest { continue }
            }
            for node in living where try !node.store.holds(record) { return record }
        }
        return nil
    }

    /// C5.
    func hasUnsafeWriter(_ living: [HistoryNode]) -> Bool {
        Set(living.map(\.lane)).count < living.count || living.contains(where: \.isSucceeded)
    }
}
