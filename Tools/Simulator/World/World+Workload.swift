import NodeCore

extension World {
    private static let conversations = (0..<6).map { "conversation-\($0)" }

    /// Plans the users' actions, spread evenly over the time with faults.
    func planWorkload(messages: Int, until end: MonotonicTime) {
        let span = (end - now).heldNanoseconds
        for _ in 0..<messages {
            plan(.workload, after: .nanoseconds(Int64.random(in: 0...max(span, 1), using: &random)))
        }
    }

    /// One message, sent by one device or received by several; occasionally something is read or flushed.
    func onWorkload() {
        let message = drawMessage()
        let author = Int.random(in: 0..<hosts.count, using: &random)
        for index in hosts.indices {
            // The chain shows a received message to some devices, sooner or later.
            let isShown = message.isReceived && Int.random(in: 0..<max(3, hosts.count / 2), using: &random) == 0
            guard index == author || isShown else { continue }
            let wait = index == author ? Duration.zero : .milliseconds(Int.random(in: 0...20_000, using: &random))
            plan(.operation(node: index, .message(message)), after: wait)
        }
        let reader = Int.random(in: 0..<hosts.count, using: &random)
        let conversation = Self.conversations.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: plan(.operation(node: reader, .markRead(conversation: conversation)), after: .milliseconds(10))
        case 3: plan(.operation(node: reader, .leave(conversation: conversation)), after: .milliseconds(10))
        case 4: plan(.operation(node: reader, .flush), after: .milliseconds(10))
        default: break
        }
    }

    func drawMessage() -> WorkloadMessage {
        let isPending = Int.random(in: 0..<5, using: &random) == 0
        let sent = wall + .seconds(Int.random(in: -200_000...0, using: &random))
        let words = Int.random(in: 1...40, using: &random)
        let body = (0..<words).map { _ in String(Int.random(in: 0...99_999, using: &random), radix: 36) }
        return WorkloadMessage(
            txid: random.identifier(), conversation: Self.conversations.randomElement(using: &random) ?? "",
            isReceived: Bool.random(using: &random), senderSeconds: sent.milliseconds / 1_000,
            blockMilliseconds: isPending ? nil : sent.milliseconds + 1_000,
            acceptingDaaScore: isPending ? nil : UInt64(sent.milliseconds / 100),
            body: body.joined(separator: " "))
    }

    @discardableResult
    func perform(_ operation: WorkloadOperation, on index: Int) -> WorkloadResult? {
        guard !hosts[index].isLiar else { return nil }
        offer(operation, to: index)
        let result = turn(index, "operation") { node, turn in try node.perform(operation, turn) }
        switch result {
        case .acknowledged:
            tallies.acknowledged += 1
            acknowledge(operation, by: index)
        case .unchanged: tallies.unchanged += 1
        case .failed:
            tallies.failed += 1
            // After a full disk or an error a zone rests for a while, which is not a failure.
            if let end = faultsEndedAt, now - end >= Limits.storeRest {
                ledger.fail("node \(index) cannot write though it has room")
            }
        case .refused(let reason):
            ledger.fail("node \(index) refuses a valid operation: \(reason)")
        case nil: break
        }
        return result
    }

    /// Recorded before the node knows of it: an operation interrupted by a crash may or may not have happened.
    private func offer(_ operation: WorkloadOperation, to index: Int) {
        switch operation {
        case .message(let message): ledger.offer(message)
        case .chain(let txid, let word): ledger.offer(word, of: txid, to: index)
        case .delete(let txid): ledger.want(deleted: txid)
        case .hint, .markRead, .markUnread, .leave, .pin, .rename, .flush, .group: break
        }
    }

    private func acknowledge(_ operation: WorkloadOperation, by index: Int) {
        switch operation {
        case .message(let message): ledger.acknowledge(message.txid, by: index)
        case .chain(let txid, _): ledger.acknowledge(wordOf: txid)
        case .delete(let txid): ledger.acknowledge(deletionOf: txid, by: index)
        case .hint, .markRead, .markUnread, .leave, .pin, .rename, .flush, .group: break
        }
    }

    // MARK: Inspection

    func planInspections(every period: Duration, until end: MonotonicTime) {
        var at = now + period
        while at < end {
            queue.add(.inspect, at: at)
            at += period
        }
    }

    func onInspect() {
        for index in hosts.indices { inspect(index, isFull: false) }
    }

    @discardableResult
    func inspect(_ index: Int, isFull: Bool) -> NodeObservation? {
        guard let node = hosts[index].node, !hosts[index].isLiar else { return nil }
        do {
            var observation = try node.observe(isFull: isFull)
            if hosts.contains(where: \.isLiar) {
                // Lies are refused, and counted as such. They make nobody begin a new lane.
                observation.gauges.removeAll { ["alarms", "refused records", "bad blobs"].contains($0.name) }
            }
            ledger.inspect(observation, of: index, at: now)
            return observation
        } catch {
            // Observing uses the store too, so an armed power cut may strike here.
            let disk = hosts[index].disk
            if disk.isDead {
                kill(index, isSilent: disk.hasLostPower)
                return nil
            }
            switch disk.excuse(for: error) {
            // Some queries write their index first, which needs room.
            case .passing: break
            case .damage: DiskTrouble(world: self).giveUp(index, error)
            case nil: ledger.fail("node \(index) cannot be looked at: \(error)")
            }
            return nil
        }
    }
}
