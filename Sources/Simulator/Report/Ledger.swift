import NodeCore

/// What was promised, and whether it is kept: the invariants of a run.
struct Ledger {
    enum Invariant: String, CaseIterable {
        case acknowledgedSurvives = "an acknowledged write survives"
        case nothingInvented = "nothing is held that nobody wrote"
        case readsOnlyGrow = "read positions never go back"
        case bounded = "queues and tables stay within their bounds"
        case agreement = "after the faults all living nodes hold the same"
    }

    /// Messages acknowledged by each node.
    private var acknowledged: [Set<TxID>]
    /// Messages that any node was given, acknowledged or not.
    private var offered: Set<TxID> = []
    /// The highest that was seen of each read position, by node and conversation.
    private var reads: [[String: [[UInt8]]]]
    private var checks = [Int](repeating: 0, count: Invariant.allCases.count)
    private(set) var failures: [String] = []

    init(nodes: Int) {
        acknowledged = [Set<TxID>](repeating: [], count: nodes)
        reads = [[String: [[UInt8]]]](repeating: [:], count: nodes)
    }

    /// All that was acknowledged by anybody.
    var acknowledgedAnywhere: Set<TxID> { acknowledged.reduce(into: []) { $0.formUnion($1) } }

    mutating func fail(_ text: String) {
        failures.append(text)
    }

    mutating func offer(_ txid: TxID) {
        offered.insert(txid)
    }

    mutating func acknowledge(_ txid: TxID, by node: Int) {
        acknowledged[node].insert(txid)
    }

    /// How often each invariant was looked at.
    var counts: [(invariant: Invariant, checks: Int)] {
        zip(Invariant.allCases, checks).map { ($0, $1) }
    }

    mutating func inspect(_ observation: NodeObservation, of node: Int, at now: MonotonicTime) {
        let place = "node \(node) at \(Story.clock(now))"
        if let messages = observation.messages {
            let held = Set(messages)
            count(.acknowledgedSurvives)
            if let lost = acknowledged[node].subtracting(held).min() {
                fail("\(Invariant.acknowledgedSurvives.rawValue): \(place) has lost \(lost)")
            }
            count(.nothingInvented)
            if let strange = held.subtracting(offered).min() {
                fail("\(Invariant.nothingInvented.rawValue): \(place) holds \(strange)")
            }
        }
        count(.readsOnlyGrow)
        for read in observation.reads { inspect(read, of: node, place: place) }
        for conversation in reads[node].keys.sorted()
        where !observation.reads.contains(where: { $0.conversation == conversation }) {
            fail("\(Invariant.readsOnlyGrow.rawValue): \(place) has forgotten that of \(conversation)")
        }
        count(.bounded)
        for gauge in observation.gauges where gauge.value > gauge.limit {
            fail("\(Invariant.bounded.rawValue): \(place) has \(gauge.value) of \(gauge.name), above \(gauge.limit)")
        }
    }

    private mutating func inspect(_ read: NodeObservation.Read, of node: Int, place: String) {
        if let before = reads[node][read.conversation] {
            for (old, new) in zip(before, read.scales) where new.lexicographicallyPrecedes(old) {
                fail("\(Invariant.readsOnlyGrow.rawValue): \(place) went back in \(read.conversation)")
            }
        }
        reads[node][read.conversation] = read.scales
    }

    /// The nodes at the end, in full.
    ///
    /// - Returns: what keeps them from agreeing; nil if nothing does.
    mutating func disagreement(of observations: [NodeObservation]) -> String? {
        guard let first = observations.first else { return nil }
        for (node, observation) in observations.enumerated() {
            if observation.missing > 0 { return "node \(node) still misses \(observation.missing)" }
            if observation.digest != first.digest { return "nodes 0 and \(node) have different digests" }
            if observation.messages != first.messages {
                return "nodes 0 and \(node) hold \(first.messages?.count ?? 0) and "
                    + "\(observation.messages?.count ?? 0) messages"
            }
            if observation.content != first.content {
                let lines = zip(first.content, observation.content).first { $0 != $1 }
                return "nodes 0 and \(node) show different things: "
                    + (lines.map { "\($0) / \($1)" } ?? "more or fewer")
            }
            if observation.reads != first.reads { return "nodes 0 and \(node) have read different things" }
        }
        return nil
    }

    /// All agree; what was acknowledged anywhere must be in it.
    mutating func agree(on observation: NodeObservation) {
        count(.agreement)
        if let lost = acknowledgedAnywhere.subtracting(observation.messages ?? []).min() {
            fail("\(Invariant.acknowledgedSurvives.rawValue): all nodes agree on a set without \(lost)")
        }
    }

    private mutating func count(_ invariant: Invariant) {
        if let index = Invariant.allCases.firstIndex(of: invariant) { checks[index] += 1 }
    }
}
