import Gossip
import NodeCore
import SyncState

/// The real machine of a node in the simulated world: presence, dialer, engines and sessions, without sockets.
///
/// What `NodeNetwork` does between these and the system, this does between them and the world, in the same order: what
/// came in goes to the cores, the turn is committed, and only then anything leaves. Subclasses bring the zones.
package class MachineNode {
    let machine: NodeMachine
    var random: any RandomSource
    var connections: [ConnectionID: SimulatedConnection] = [:]
    var outputs: [NodeOutput] = []
    private var dialled: UInt64 = 0

    init(machine: NodeMachine, random: any RandomSource) {
        self.machine = machine
        self.random = random
    }

    /// In the order of their ids.
    var ordered: [SimulatedConnection] { connections.sorted { $0.key < $1.key }.map(\.value) }

    func nextConnection() -> ConnectionID {
        dialled += 2
        return ConnectionID(dialled)
    }

    /// Commits, and does what may be done because of it.
    func endTurn(_ turn: Turn) throws {
        tick(turn.now)
        machine.endTurn(now: turn.now, wall: turn.wall)
        try endedTurn(turn)
        perform(machine.takeActions(), now: turn.now)
        flush(turn.now)
        try endedTurn(turn)
    }

    /// What the zones of a node want after a turn. Throws where it cannot go on.
    func endedTurn(_ turn: Turn) throws {}

    /// At a rendezvous something became known.
    func heardNews(of place: PlaceID) {}

    var machineDeadline: MonotonicTime? {
        var times = connections.values.compactMap(\.deadline)
        times += [machine.deadline].compactMap { $0 }
        return times.min()
    }

    package func takeOutputs() -> [NodeOutput] {
        defer { outputs = [] }
        return outputs
    }
}
