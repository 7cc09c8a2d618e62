import Ledger
import NodeCore
import SyncState

/// Which rows of the account count: all of a lane that stands or has left, and of a removed lane those that a list of
/// its Removes names (docs/PROTOCOL.md, §5.2).
final class RowJudge: RowRules {
    /// Which rows of a lane count.
    private enum Rule: Hashable {
        case all
        /// The lane has no known way back to the person, or lost it.
        case none
        /// - `isWhole`: no list that the Removes name is missing.
        case listed([BlobHash], isWhole: Bool)
    }

    private let ledger: ZoneMembership
    private let lists: ListsPart
    private let store: ZoneStore
    /// The rules by which the rows now held were judged.
    private var applied: [LaneID: Rule] = [:]
    private var judged: Basis
    /// The rules now, as far as they were asked for.
    private var known: [LaneID: Rule] = [:]
    /// The lists that these name, as far as they were needed.
    private var names: [BlobHash: [Bytes16]] = [:]
    private var knownOf: Basis
    /// Called for each lane whose rows may have stopped counting, unless a list is missing that may name them.
    var whenJudged: (LaneID) throws -> Void = { _ in }

    /// The data from which the rules follow.
    private struct Basis: Equatable {
        var ledger: UInt64
        var lists: UInt64
        var lane: LaneID
    }

    init(_ store: ZoneStore, _ ledger: ZoneMembership, _ lists: ListsPart) throws {
        (self.store, self.ledger, self.lists) = (store, ledger, lists)
        judged = Basis(ledger: 0, lists: 0, lane: .zero)
        knownOf = judged
        try reload()
    }

    private var now: Basis {
        Basis(ledger: ledger.records.revision, lists: lists.revision, lane: store.device.lane)
    }

    /// At the start and after a rollback: the rows that are held were judged by this ledger and these lists.
    func reload() throws {
        judged = now
        applied = [:]
        for lane in store.numbers.keys { applied[lane] = try rule(of: lane) }
    }

    func verdict(on record: Record) throws -> RowVerdict {
        let rule = try rule(of: record.lane)
        guard rule != .none else { return .waits }
        if applied[record.lane] == nil { applied[record.lane] = rule }
        guard case .listed(let blobs, let isWhole) = rule else { return .counts }
        let name = record.hash.prefix
        if try blobs.contains(where: { try names(in: $0).holds(name) }) { return .counts }
        return isWhole ? .removed : .waits
    }

    func isListed(_ record: Record) throws -> Bool { try lists.names(record) }

    func lists(of lane: LaneID) throws -> [[UInt8]] { try lists.records(of: lane) }

    /// Judges again the rows of lanes whose rule changed. Part of each commit.
    func settle() throws {
        // Lists stand in rows that other lists may name. A hash covers what it names, so no list leads back to itself,
        // and this ends.
        while judged != now {
            judged = now
            store.mustSettle = true
            for lane in store.numbers.keys.sorted() {
                let rule = try rule(of: lane)
                guard let before = applied.updateValue(rule, forKey: lane), before != rule else { continue }
                try RowJudging(store, by: self).judgeAgain(lane: lane)
                if case .listed(_, isWhole: false) = rule { continue }
                try whenJudged(lane)
            }
        }
    }

    private func rule(of lane: LaneID) throws -> Rule {
        let now = now
        if knownOf != now { (known, names, knownOf) = ([:], [:], now) }
        if let rule = known[lane] { return rule }
        let rule = try made(for: lane)
        // Anybody can invent lanes.
        if rule != .none { known[lane] = rule }
        return rule
    }

    private func made(for lane: LaneID) throws -> Rule {
        // A device's own rows always count for it.
        if lane == store.device.lane { return .all }
        let key = ledger.key(of: lane)
        switch ledger.state.rows(of: key) {
        case .all: return .all
        case .listed(let blobs):
            let held = try blobs.filter { try lists.holds($0) }
            return .listed(held, isWhole: held.count == blobs.count)
        // Nothing stays of a lane that was removed without a head.
        case .none, .behind: return ledger.state.standing(of: key) == .removed ? .listed([], isWhole: true) : .none
        }
    }

    private func names(in list: BlobHash) throws -> [Bytes16] {
        if let known = names[list] { return known }
        let read = try lists.names(list) ?? []
        names[list] = read
        return read
    }
}
