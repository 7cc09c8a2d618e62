import Chat
import NodeCore
import SyncState

/// The effects of a disk's faults on a machine of the world, and what must follow from them.
///
/// Damage takes from the ledger what its node alone knew. It is named by the next scrub, before the node meets anybody;
/// what others hold must come back.
struct DiskTrouble {
    let world: World

    // MARK: Faults

    func happen(_ event: DiskEvent) {
        let (index, draw) = (event.node, event.draw)
        guard world.faultsEndedAt == nil, !world.hosts[index].isGone else { return }
        let disk = world.hosts[index].disk
        switch event.fault {
        case .error(let failure):
            tell(event)
            disk.fail(failure, after: Int(draw % 60))
        case .rot(let part): damage(event, mayForget: part == .page) { try disk.rot(part, draw: draw) }
        case .lostFile: damage(event) { disk.files.lose(FaultDisk.file) }
        case .lostLog: damage(event) { disk.loseLog() }
        case .lostGuard:
            damage(event) {
                defer { disk.guardFile = nil }
                return disk.guardFile != nil
            }
        case .copy:
            tell(event)
            disk.keep()
        case .oldCopy: damage(event) { disk.putBack(withMachine: false) }
        case .oldMachine: damage(event) { disk.putBack(withMachine: true) }
        case .clone, .twin:
            let other = Int((draw >> 8) % UInt64(world.hosts.count))
            guard other != index, !world.hosts[other].isGone, world.mayCopy?(other, index) ?? true else { return }
            let image = world.hosts[other].disk.image()
            damage(event) { disk.take(image, withMachine: event.fault == .twin) }
        case .death:
            guard world.hosts.count(where: { !$0.isGone }) > 2 else { return }
            stop(index, isSilent: true)
            world.hosts[index].isGone = true
            world.hosts[index].isAsleep = true
            world.ledger.damage(index, mayForget: false)
            world.onDamage?(index)
            tell(event)
        }
    }

    private func tell(_ event: DiskEvent) {
        world.tallies.diskFaults += 1
        world.trace.mix(event.fault.name)
        world.story.add(world.now, "the disk of node \(event.node): \(event.fault.name)")
    }

    private func stop(_ index: Int, isSilent: Bool) {
        if world.hosts[index].node != nil { world.kill(index, isSilent: isSilent) }
    }

    /// Damages a home while nobody runs on it.
    private func damage(_ event: DiskEvent, mayForget: Bool = true, _ body: () throws -> Bool) {
        // Everything that others hold now must survive.
        for other in world.hosts.indices { world.inspect(other, isFull: true) }
        stop(event.node, isSilent: event.draw & 1 == 1)
        do {
            guard try body() else { return }
        } catch {
            // There is no room, or an error is due.
            return
        }
        tell(event)
        world.ledger.damage(event.node, mayForget: mayForget)
        world.onDamage?(event.node)
    }

    // MARK: What follows

    /// Looks for damage as soon as the node runs.
    func look(at index: Int) {
        if world.hosts[index].disk.damage.isFresh { scrub(index) }
    }

    /// Compares what the node's scrub says with what was done to it. Nothing happens if it cannot be done now.
    private func scrub(_ index: Int) {
        let disk = world.hosts[index].disk
        let found = world.turn(index, "scrub") { node, turn in
            // Nothing that was replaced since is damaged.
            disk.damage = try disk.damage.remaining(in: try disk.open())
            return try node.scrub(turn)
        }
        guard case let report?? = found else { return }
        if let wrong = disk.damage.error(of: report) {
            world.ledger.fail("\(Ledger.Invariant.damageIsNamed.rawValue): node \(index) counts \(wrong)")
        }
        disk.damage.forget()
        world.ledger.count(.damageIsNamed)
    }

    /// The node says that its store is damaged: its owner moves the home away, and starts over.
    func giveUp(_ index: Int, _ error: any Error) {
        let disk = world.hosts[index].disk
        world.story.add(world.now, "node \(index) says that its store is damaged: \(error)")
        world.tallies.abandonedHomes += 1
        stop(index, isSilent: false)
        disk.clear(for: world.hosts.count * (world.hosts[index].life + 1) + index)
        world.ledger.damage(index, mayForget: true)
        world.onDamage?(index)
        world.plan(.restart(node: index, life: world.hosts[index].life), after: .seconds(10))
    }
}

// MARK: - The course of a run

extension DiskTrouble {
    func plan(seed: UInt64, over span: Duration, kinds: DiskPlan.Kinds = DiskPlan.Kinds()) {
        for (after, event) in DiskPlan(seed: seed, nodes: world.hosts.count, over: span, kinds: kinds).events {
            world.plan(.disk(event), after: after)
        }
    }

    /// All agree: nothing is damaged any more. The power goes everywhere, so that what is in memory must be what the
    /// disks have.
    func endPower() {
        for index in world.hosts.indices {
            scrub(index)
            world.kill(index, isSilent: true)
        }
        world.run(until: world.now + Limits.restarts)
    }
}
