import NodeCore

/// The promises made, and whether they are kept: the invariants of a run.
struct Ledger {
    enum Invariant: String, CaseIterable {
        case acknowledgedSurvives = "an acknowledged write survives"
        case nothingInvented = "nothing is held that nobody wrote"
        case readsOnlyGrow = "read positions never go back"
        case bounded = "queues and tables stay within their bounds"
        case agreement = "after the faults all living nodes hold the same"
        case staysRead = "a read message stays read"
        case staysDeleted = "a deleted message stays deleted"
        case countsAreTrue = "unread counts are those of the messages"
        case chainsWord = "the chain's last word on a message is shown"
        case damageIsNamed = "a scrub names what is damaged, and nothing else"
    }

    /// Messages acknowledged by each node.
    private var acknowledged: [Set<TxID>]
    /// Acknowledged messages that some disk holds that was not damaged since.
    private var promised: Set<TxID> = []
    /// The messages that each node showed when it was last looked at in full.
    private var held: [Set<TxID>]
    /// The messages that a node knew before its home was damaged, and has not shown since.
    private var vanished: [Set<TxID>]
    private(set) var hasDamage = false
    /// Whether damage took an acknowledged message that no other disk held.
    private var hasLost = false
    /// After it, a device may have to begin a new lane.
    private var mayStartAfresh = false
    /// Messages given to any node, acknowledged or not.
    private var offered: Set<TxID> = []
    /// The same, in the order in which they were first given.
    private(set) var offeredMessages: [TxID] = []
    /// Messages that somebody wanted deleted, and those whose deletion was acknowledged, by node.
    private var unwanted: Set<TxID> = []
    private var deleted: [Set<TxID>]
    /// Messages shown as read, by node.
    private var read: [Set<TxID>]
    /// Messages with an acknowledged chain state.
    private var certain: Set<TxID> = []
    private var moved = MovedMessages()
    /// The possible latest chain states of a message: the acknowledged one, and those after it.
    private var words: [TxID: [ChainWord]] = [:]
    /// The only node that is given chain states.
    private var teller: Int?
    /// Words told before the device that tells them went back in time: it may give their revision again, and of two
    /// words of one revision none is the later.
    private var rivals: [TxID: [ChainWord]] = [:]
    private var reads: ShownReads
    private var checks = [Int](repeating: 0, count: Invariant.allCases.count)
    private(set) var failures: [String] = []

    init(nodes: Int) {
        acknowledged = [Set<TxID>](repeating: [], count: nodes)
        (held, vanished) = (acknowledged, acknowledged)
        reads = ShownReads(nodes: nodes)
        deleted = [Set<TxID>](repeating: [], count: nodes)
        read = [Set<TxID>](repeating: [], count: nodes)
    }

    private var deletedAnywhere: Set<TxID> { deleted.reduce(into: []) { $0.formUnion($1) } }

    mutating func fail(_ text: String) {
        failures.append(text)
    }

    mutating func offer(_ message: WorkloadMessage) {
        if offered.insert(message.txid).inserted { offeredMessages.append(message.txid) }
        moved.offer(message)
    }

    /// A node is given a chain state.
    mutating func offer(_ word: ChainWord, of txid: TxID, to node: Int) {
        teller = node
        words[txid, default: []].append(word)
        moved.offer(word, of: txid)
    }

    /// The latest state given is durable: earlier ones no longer count.
    mutating func acknowledge(wordOf txid: TxID) {
        guard let last = words[txid]?.last else { return }
        words[txid] = [last]
        certain.insert(txid)
    }

    mutating func want(deleted txid: TxID) { unwanted.insert(txid) }

    mutating func acknowledge(deletionOf txid: TxID, by node: Int) { deleted[node].insert(txid) }

    mutating func acknowledge(_ txid: TxID, by node: Int) {
        acknowledged[node].insert(txid)
        promised.insert(txid)
    }

    /// A node's home was damaged: what it alone knew may be gone. What others hold must come back.
    mutating func damage(_ node: Int, mayForget: Bool) {
        hasDamage = true
        if mayForget { mayStartAfresh = true }
        if mayForget, node == teller { rivals.merge(words) { $0 + $1 } }
        reads.damage(node, mayForget: mayForget)
        let known = acknowledged[node].union(held[node])
        (acknowledged[node], held[node], deleted[node], read[node]) = ([], [], [], [])
        let elsewhere = zip(acknowledged, held).reduce(into: Set<TxID>()) { $0.formUnion($1.0.union($1.1)) }
        if !promised.isSubset(of: elsewhere) { hasLost = true }
        vanished[node].formUnion(known)
        moved.lose(known.subtracting(elsewhere))
        promised.formIntersection(elsewhere)
        certain = []
    }

    /// The number of checks of each invariant.
    var counts: [(invariant: Invariant, checks: Int)] {
        zip(Invariant.allCases, checks).map { ($0, $1) }
    }

    mutating func inspect(_ observation: NodeObservation, of node: Int, at now: MonotonicTime) {
        let place = "node \(node) at \(Story.clock(now))"
        if let messages = observation.messages {
            let held = Set(messages)
            self.held[node] = held
            vanished[node].subtract(held)
            count(.acknowledgedSurvives)
            if let lost = acknowledged[node].subtracting(held).subtracting(unwanted).min() {
                fail("\(Invariant.acknowledgedSurvives.rawValue): \(place) has lost \(lost)")
            }
            count(.nothingInvented)
            if let strange = held.subtracting(offered).min() {
                fail("\(Invariant.nothingInvented.rawValue): \(place) holds \(strange)")
            }
        }
        inspectRows(of: observation, node, place)
        count(.readsOnlyGrow)
        for read in observation.reads { inspect(read, of: node, place: place) }
        // A conversation whose messages were all deleted is not listed; its position is compared when it is listed
        // again.
        for conversation in reads.shown[node].keys.sorted()
        where unwanted.isEmpty && !observation.reads.contains(where: { $0.conversation == conversation })
            && !moved.isGone(conversation, besides: held[node])
        {
            fail("\(Invariant.readsOnlyGrow.rawValue): \(place) has forgotten that of \(conversation)")
        }
        count(.bounded)
        for gauge in observation.gauges where gauge.value > gauge.limit {
            if mayStartAfresh, gauge.name == "fresh starts" { continue }
            // Two lanes that both ends hold whole differ: so a damaged one is seen.
            if hasDamage, gauge.name == "alarms" { continue }
            fail("\(Invariant.bounded.rawValue): \(place) has \(gauge.value) of \(gauge.name), above \(gauge.limit)")
        }
    }

    private mutating func inspect(_ read: NodeObservation.Read, of node: Int, place: String) {
        if let before = reads.shown[node][read.conversation] {
            let mayGoBack = { [moved, vanished] scale in
                moved.mayGoBack(from: scale, in: read.conversation, without: vanished[node])
            }
            // Somebody may have read on since, up to a message that the chain moved then.
            let isMoved = read.scales.contains(where: mayGoBack)
            for (scale, (old, new)) in zip(before, read.scales).enumerated()
            where new.lexicographicallyPrecedes(old) && !isMoved && !mayGoBack(old)
                && !reads.isForgotten(old, on: scale, of: read.conversation)
            {
                fail("\(Invariant.readsOnlyGrow.rawValue): \(place) went back in \(read.conversation)")
            }
        }
        reads.shown[node][read.conversation] = read.scales
    }

    private mutating func inspectRows(of observation: NodeObservation, _ node: Int, _ place: String) {
        guard let messages = observation.messages else { return }
        count(.countsAreTrue)
        // The counts include the messages of a damaged segment until it comes again.
        for wrong in observation.wrongCounts where !hasDamage {
            fail("\(Invariant.countsAreTrue.rawValue): \(place): \(wrong)")
        }
        count(.staysDeleted)
        if let back = deleted[node].intersection(messages).min() {
            fail("\(Invariant.staysDeleted.rawValue): \(place) shows \(back) again")
        }
        count(.staysRead)
        let unread = read[node].intersection(observation.unread)
        if let unread = moved.stayingRead(unread, without: vanished[node]).min() {
            fail("\(Invariant.staysRead.rawValue): \(place) shows \(unread) as unread")
        }
        read[node].formUnion(Set(messages).subtracting(observation.unread))
    }

    /// Compares the nodes at the end, in full.
    ///
    /// - Returns: why they do not agree; nil if they do.
    mutating func disagreement(of observations: [NodeObservation]) -> String? {
        guard let first = observations.first else { return nil }
        for (node, observation) in observations.enumerated() {
            // Everybody misses for ever the messages that only a damaged disk held.
            guard observation.missing == (hasDamage ? first.missing : 0) else {
                return "node \(node) still misses \(observation.missing)"
            }
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
            if let stub = observation.stubs.intersection(first.messages ?? []).min() {
                return "node \(node) still waits for the body of \(stub)"
            }
            if let stub = observation.stubs.intersection(deletedAnywhere).min() {
                return "node \(node) still waits for \(stub), which is deleted"
            }
            // Nobody holds the message any more up to which they were read. Where it was shown, that stays.
            if !hasLost, observation.reads != first.reads || observation.unread != first.unread {
                return "nodes 0 and \(node) have read different things"
            }
        }
        return nil
    }

    /// All agree; everything acknowledged anywhere must be included.
    mutating func agree(on observation: NodeObservation) {
        count(.agreement)
        let held = Set(observation.messages ?? [])
        if let lost = promised.subtracting(held).subtracting(unwanted).min() {
            fail("\(Invariant.acknowledgedSurvives.rawValue): all nodes agree on a set without \(lost)")
        }
        if let wrong = observation.wrongCounts.first, !hasLost {
            fail("\(Invariant.countsAreTrue.rawValue): in the end \(wrong)")
        }
        count(.staysDeleted)
        if let back = deletedAnywhere.intersection(held).min() {
            fail("\(Invariant.staysDeleted.rawValue): all nodes agree on \(back)")
        }
        count(.chainsWord)
        for (txid, expected) in words.sorted(by: { $0.key < $1.key }) where certain.contains(txid) {
            guard let shown = observation.words[txid], !(expected + (rivals[txid] ?? [])).contains(shown) else {
                continue
            }
            fail("\(Invariant.chainsWord.rawValue): of \(txid) they show \(shown), not \(expected)")
        }
    }

    mutating func count(_ invariant: Invariant) {
        if let index = Invariant.allCases.firstIndex(of: invariant) { checks[index] += 1 }
    }
}

/// The read positions that nodes showed: on each scale, by conversation.
private struct ShownReads {
    /// By node.
    var shown: [[String: [[UInt8]]]]
    /// Those of nodes whose homes went back in time. Such a node may write a mark in the lane where it had said more.
    private var forgotten: [String: [[[UInt8]]]] = [:]

    init(nodes: Int) { shown = Array(repeating: [:], count: nodes) }

    mutating func damage(_ node: Int, mayForget: Bool) {
        if mayForget { forgotten.merge(shown[node].mapValues { [$0] }) { $0 + $1 } }
        shown[node] = [:]
    }

    func isForgotten(_ position: [UInt8], on scale: Int, of conversation: String) -> Bool {
        forgotten[conversation, default: []].contains { !$0[scale].lexicographicallyPrecedes(position) }
    }
}
