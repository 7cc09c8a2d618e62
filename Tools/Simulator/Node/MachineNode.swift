import Gossip
import NodeCore
package import SyncState
import Transport

/// The real machine of a node in the simulated world: presence, dialer, engines and sessions, without sockets.
///
/// It connects these with the world as `NodeNetwork` connects them with the system, in the same order: input goes to
/// the cores, the turn is committed, and only then anything is sent. Subclasses provide the zones.
package class MachineNode {
    let machine: NodeMachine
    var random: any RandomSource
    var connections: [ConnectionID: SimulatedConnection] = [:]
    var doorkeeper = Doorkeeper()
    /// The place of each of the current doors.
    var places: [PlaceID] = []
    var outputs: [NodeOutput] = []
    /// Changes what this node says; nil for an honest one.
    var liar: WireLiar?
    private var dialled: UInt64 = 0

    init(machine: NodeMachine, random: any RandomSource) {
        self.machine = machine
        self.random = random
    }

    /// In order of their ids.
    var ordered: [SimulatedConnection] { connections.sorted { $0.key < $1.key }.map(\.value) }

    func nextConnection() -> ConnectionID {
        dialled += 2
        return ConnectionID(dialled)
    }

    /// Commits, and then performs the resulting actions.
    func endTurn(_ turn: Turn) throws {
        tick(turn.now)
        machine.endTurn(now: turn.now, wall: turn.wall)
        try endedTurn(turn)
        perform(machine.takeActions(), now: turn.now)
        for late in liar?.takeLate(now: turn.now) ?? [] { enqueue(late.bytes, to: late.session, late.priority) }
        flush(turn.now)
        try endedTurn(turn)
    }

    /// The zones' work after a turn. Throws if the node cannot continue.
    func endedTurn(_ turn: Turn) throws {}

    /// The zone whose store is on the disk; nil while there is none.
    var stored: (any ReplicatedZone)? { nil }

    package func scrub(_ turn: Turn) throws -> ZoneStore.ScrubReport? {
        guard let stored else { return nil }
        var cursor = ZoneStore.ScrubCursor()
        while try stored.store.scrub(&cursor) { try stored.commit() }
        try stored.commit()
        try endTurn(turn)
        return cursor.report
    }

    /// Something happened at a rendezvous.
    func heardNews(of place: PlaceID) {}

    var machineDeadline: MonotonicTime? {
        var times = connections.values.compactMap(\.deadline)
        times += [machine.deadline, liar?.deadline].compactMap { $0 }
        return times.min()
    }

    package func takeOutputs() -> [NodeOutput] {
        defer { outputs = [] }
        return outputs
    }
}
