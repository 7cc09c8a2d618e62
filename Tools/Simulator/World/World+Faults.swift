import NodeCore

extension World {
    /// Schedules the faults.
    func planFaults() {
        for fault in Fault.allCases { planNext(fault) }
    }

    private func planNext(_ fault: Fault) {
        guard faultsEndedAt == nil, let mean = meanTime(to: fault) else { return }
        let nanoseconds = mean.heldNanoseconds
        plan(.fault(fault), after: .nanoseconds(Int64.random(in: nanoseconds / 10...nanoseconds * 2, using: &random)))
    }

    private func meanTime(to fault: Fault) -> Duration? {
        switch fault {
        case .crash: profile.crashEvery
        case .partition: profile.partitionEvery
        case .reset: profile.resetEvery
        case .move: profile.moveEvery
        case .clockJump: profile.clockJumpEvery
        case .fullDisk: profile.fullDiskEvery
        }
    }

    func onFault(_ fault: Fault) {
        guard faultsEndedAt == nil else { return }
        let victim = Int.random(in: 0..<hosts.count, using: &random)
        switch fault {
        case .crash: crash(victim)
        case .partition: cut(victim)
        case .reset: resetStreams(of: victim)
        case .move: move(victim)
        case .clockJump: jump(victim)
        case .fullDisk: fill(victim)
        }
        planNext(fault)
    }

    /// At once, between two of its store's operations some way ahead, or after a commit and before its outputs are
    /// sent.
    private func crash(_ victim: Int) {
        guard hosts[victim].node != nil else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: kill(victim, isSilent: Bool.random(using: &random))
        case 1: hosts[victim].diesAfterTurn = true
        default: hosts[victim].disk.arm(after: Int.random(in: 0..<200, using: &random))
        }
    }

    /// One node against the rest, in one or both directions, or the network in two halves.
    private func cut(_ victim: Int) {
        let alone = hosts.indices.map { $0 == victim }
        let others = alone.map { !$0 }
        let half = hosts.indices.map { _ in Bool.random(using: &random) }
        let (senders, receivers, name): ([Bool], [Bool], String)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: (senders, receivers, name) = (alone, others, "nothing leaves node \(victim)")
        case 1: (senders, receivers, name) = (others, alone, "nothing reaches node \(victim)")
        case 2:
            (senders, receivers, name) = (half, half.map { !$0 }, "one half of the network does not reach the other")
        default: (senders, receivers, name) = (alone, others, "node \(victim) is cut off")
        }
        let isTwoWay = name.hasSuffix("off") || Bool.random(using: &random)
        cut(from: senders, to: receivers, isTwoWay: isTwoWay, name, atMost: 300_000)
    }

    /// Even and odd nodes do not reach each other for a while.
    func split() {
        guard faultsEndedAt == nil else { return }
        let even = hosts.indices.map { $0 % 2 == 0 }
        cut(from: even, to: even.map { !$0 }, isTwoWay: true, "even nodes do not reach odd ones", atMost: 120_000)
    }

    private func cut(
        from senders: [Bool], to receivers: [Bool], isTwoWay: Bool, _ name: String, atMost milliseconds: Int
    ) {
        let number = nextPartition
        nextPartition += 1
        partitions.append(Partition(number: number, isSender: senders, isReceiver: receivers))
        if isTwoWay { partitions.append(Partition(number: number, isSender: receivers, isReceiver: senders)) }
        tallies.partitions += 1
        trace.mix(name)
        story.add(now, isTwoWay ? "\(name), both ways" : name)
        plan(.heal(partition: number), after: .milliseconds(Int.random(in: 500...milliseconds, using: &random)))
    }

    func heal(_ number: Int) {
        guard partitions.contains(where: { $0.number == number }) else { return }
        partitions.removeAll { $0.number == number }
        story.add(now, "a cut is mended")
    }

    private func resetStreams(of victim: Int) {
        let mine = hosts[victim].connections.sorted { $0.key < $1.key }.map(\.value)
        guard let stream = mine.randomElement(using: &random) else { return }
        breakStream(stream, "reset")
    }

    /// The machine gets another address on the network.
    private func move(_ victim: Int) {
        guard hosts[victim].node != nil else { return }
        let mine = hosts[victim].connections.sorted { $0.key < $1.key }.map(\.value)
        hosts[victim].moves += 1
        tallies.moves += 1
        story.add(now, "node \(victim) moves to \(hosts[victim].address)")
        for stream in mine { breakStream(stream, "moved") }
        let link = hosts[victim].link
        turn(victim, "network") { node, turn in try node.onNetwork([link], turn) }
    }

    private func jump(_ victim: Int) {
        let by = Duration.seconds(
            [-400_000_000, -86_400, -3_600, -10, 10, 3_600, 86_400, 400_000_000].randomElement(using: &random) ?? 0)
        hosts[victim].wallOffset += by
        tallies.clockJumps += 1
        story.add(now, "the date of node \(victim) jumps by \(by.components.seconds) s")
    }

    /// Another program fills the disk, and frees the space some time later.
    private func fill(_ victim: Int) {
        guard !hosts[victim].disk.isFull else { return }
        hosts[victim].disk.isFull = true
        tallies.fullDisks += 1
        story.add(now, "the disk of node \(victim) is full")
        plan(.roomAgain(node: victim), after: .milliseconds(Int.random(in: 100...90_000, using: &random)))
    }

    func makeRoom(_ index: Int) {
        guard hosts[index].disk.isFull else { return }
        hosts[index].disk.isFull = false
        story.add(now, "the disk of node \(index) has room again")
    }

    /// Ends all faults and starts all machines.
    func endFaults() {
        faultsEndedAt = now
        partitions = []
        profile = FaultProfile.calm
        story.add(now, "the faults end")
        for index in hosts.indices {
            hosts[index].diesAfterTurn = false
            hosts[index].setWallRate(1, at: now)
            hosts[index].disk.disarm()
            makeRoom(index)
            guard !hosts[index].isGone else { continue }
            hosts[index].isAsleep = false
            if hosts[index].node == nil { start(index) }
        }
    }
}

/// The recurring faults.
enum Fault: Int, CaseIterable {
    case crash
    case partition
    case reset
    case move
    case clockJump
    case fullDisk
}
