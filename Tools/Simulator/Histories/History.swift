import Chat
import ChatTestKit
import Gossip
import NodeCore
import SyncState

/// One random history of one owner's nodes on the real engine and store: writes, syncs, faults; then fault-free gossip
/// among the living; then the checks C1 to C5 (`HistoryChecks`), and HELLOs that were not signed for their session
/// (`HistoryReflection`).
///
/// The same seed plays the same history in every process.
package struct History {
    /// The result of a history.
    package struct Result: Sendable {
        /// Names of the checks that failed.
        package var failures: [String] = []
        package var faults = 0
        package var syncs = 0
        package var records = 0
        package var rounds = 0
        package var freshStarts = 0
        package var alarms = 0
    }

    private static let maximumRounds = 8
    private static let maximumFreshStarts = 100
    static let conversations = (0..<4).map { "c\($0)" }

    private var random: SeededRandom
    private let keys: HistoryKeys
    private let faults: [HistoryFault]
    private var nodes: [HistoryNode] = []
    private var backups: [Int: [UInt8]] = [:]
    private var checks = HistoryChecks()
    private var result = Result()
    private var happened: Set<HistoryFault> = []
    private var sessions: UInt64 = 0
    private var countedStarts: [Int: Int] = [:]
    private var isRestless = false

    private init(seed: UInt64, faults: [HistoryFault]) throws {
        var random = SeededRandom(seed: seed)
        keys = HistoryKeys()
        self.faults = faults.filter { _ in Double.random(in: 0..<1, using: &random) < 0.6 }
        for number in 0..<Int.random(in: 2...5, using: &random) {
            nodes.append(
                try HistoryNode(number: number, history: keys, random: SeededRandom(seed: random.next())))
        }
        self.random = random
    }

    package static func play(seed: UInt64, faults: [HistoryFault]) throws -> Result {
        var history = try History(seed: seed, faults: faults)
        return try history.play()
    }

    private var living: [HistoryNode] { nodes.filter(\.isAlive) }

    private mutating func play() throws -> Result {
        try live()
        if !isRestless { try gossip() }
        try judge()
        return result
    }

    private mutating func live() throws {
        let acts = faults.filter { $0 != .cut }
        for _ in 0..<Int.random(in: 20...110, using: &random) {
            let node = pick(living)
            let dice = Double.random(in: 0..<1, using: &random)
            if dice < 0.25 {
                let conversation = pick(Self.conversations)
                try write(on: node) { [amount = UInt64.random(in: 1...5, using: &random)] in
                    try $0.read(conversation, by: amount)
                }
            } else if dice < 0.36 {
                try write(on: node) { try $0.writeFact() }
            } else if dice < 0.50 {
                try write(on: node) { [number = Int.random(in: 0..<4, using: &random)] in try $0.writeSegment(number) }
            } else if dice < 0.88 || acts.isEmpty {
                let peer = pick(living)
                if peer !== node { try meet(node, peer, mayBeCut: faults.contains(.cut)) }
            } else {
                try befall(node, pick(acts))
            }
            if Double.random(in: 0..<1, using: &random) < 0.08 { backups[node.number] = try node.database.snapshot() }
            try judgeStep()
            if isRestless { return }
        }
        // With everything it has not passed on.
        if acts.contains(.die) { try befall(pick(living), .die) }
    }

    private mutating func gossip() throws {
        for round in 1...Self.maximumRounds {
            result.rounds = round
            var pairs: [(HistoryNode, HistoryNode)] = []
            for one in living { for other in living where one.number < other.number { pairs.append((one, other)) } }
            pairs.shuffle(using: &random)
            for (one, other) in pairs {
                try meet(one, other, mayBeCut: false)
                try judgeStep()
                if isRestless { return }
            }
            let views = try living.map { try $0.view() }
            if views.allSatisfy({ $0 == views[0] }) { return }
        }
        fail("not converged")
    }

    /// Two copies of a device replace each other's registers until both have started afresh.
    private mutating func judgeStep() throws {
        let hasLowered = try checks.step(living, conversations: Self.conversations)
        if hasLowered, happened.isDisjoint(with: HistoryFault.corrupting) { fail("values lowered") }
    }

    private mutating func judge() throws {
        if try checks.isLowered(living, happened, conversations: Self.conversations) { fail("values lowered") }
        if try checks.vanished(living) != nil { fail("records vanished") }
        if checks.hasUnsafeWriter(living) { fail("unsafe writers") }
        result.alarms = living.reduce(0) { $0 + Int($1.sync.counters.alarms) }
        if result.alarms > 0, happened.isDisjoint(with: HistoryFault.corrupting) { fail("alarms without cause") }
        if result.freshStarts > 0, happened.isDisjoint(with: HistoryFault.restarting) {
            fail("fresh starts without cause")
        }
        result.records = checks.written.count
        let reflection = HistoryReflection(victim: living[0], other: living.dropFirst().first)
        if try reflection.isBelieved() { fail("forged greeting believed") }
    }

    private mutating func fail(_ name: String) {
        if !result.failures.contains(name) { result.failures.append(name) }
    }

    // MARK: Acts

    private mutating func write(on node: HistoryNode, _ body: (HistoryNode) throws -> Record) throws {
        let before = try node.store.records(of: node.lane)
        let record = try body(node)
        // Knowingly: the writer held the old row.
        let superseded = try before.filter { try !node.store.holds($0) }
        checks.wrote(record, superseding: superseded.map(\.hash))
        if try !node.store.holds(record) { fail("records vanished") }
        try node.settle()
        try note(node)
    }

    private mutating func meet(_ one: HistoryNode, _ other: HistoryNode, mayBeCut: Bool) throws {
        sessions += 1
        result.syncs += 1
        let sync = HistorySync(nodes: [one, other], mayBeCut: mayBeCut, number: sessions)
        if try sync.run(&random) == .endless { fail("endless session") }
        for node in [one, other] {
            try node.settle()
            try note(node)
        }
    }

    /// Records what a node wrote by itself: rewritten registers.
    private mutating func note(_ node: HistoryNode) throws {
        for record in node.takeWritten() { checks.wrote(record, superseding: []) }
        let starts = node.sync.freshStarts.count
        result.freshStarts += max(0, starts - (countedStarts[node.number] ?? 0))
        countedStarts[node.number] = starts
        if result.freshStarts > Self.maximumFreshStarts {
            isRestless = true
            fail("not converged")
        }
    }

    private mutating func befall(_ node: HistoryNode, _ fault: HistoryFault) throws {
        switch fault {
        case .cut: return
        case .die:
            guard living.count > 2 else { return }
            node.isAlive = false
            try checks.destroyed(try records(of: node), living: living)
        case .rot:
            guard let record = try pickRow(of: node) else { return }
            try node.store.loseRow(of: record)
            try node.settle()
            try checks.destroyed([record], living: living)
        case .restore:
            guard let backup = backups[node.number] else { return }
            let before = try records(of: node)
            try node.replaceStore(backup)
            countedStarts[node.number] = 0
            try checks.destroyed(before, living: living)
            try checks.storeReplaced(node, conversations: Self.conversations)
            try noticeCopy(node)
        case .clone:
            guard nodes.count < 7 else { return }
            let twin = try HistoryNode(
                number: nodes.count, history: keys, random: SeededRandom(seed: random.next()), copyOf: node)
            nodes.append(twin)
            try checks.storeReplaced(twin, conversations: Self.conversations)
            try noticeCopy(twin)
        case .fresh:
            try node.store.startAfresh(.clone)
            try node.settle()
        }
        happened.insert(fault)
        result.faults += 1
        try note(node)
    }

    /// The guard beside the store detects every second copy.
    private mutating func noticeCopy(_ node: HistoryNode) throws {
        if Bool.random(using: &random) { try node.store.startAfresh(.guardMismatch) }
        try node.settle()
    }

    private func records(of node: HistoryNode) throws -> [Record] {
        var all: [Record] = []
        for lane in node.store.vector { all += try node.store.records(of: lane.id) }
        return all
    }

    private mutating func pickRow(of node: HistoryNode) throws -> Record? {
        let all = try records(of: node)
        return all.isEmpty ? nil : pick(all)
    }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: 0..<items.count, using: &random)] }
}
