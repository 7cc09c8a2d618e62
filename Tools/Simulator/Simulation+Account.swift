import NodeCore
import SyncState

extension Simulation {
    /// Runs devices of one chat account: the real node.
    ///
    /// - Parameter memoryBytes: see `run`.
    package func runAccount(memoryBytes: (() -> Int)? = nil) throws -> SimulationReport {
        let seed = seed
        let liar = hasLiar ? liar : nil
        return try run(memoryBytes: memoryBytes) { index, address, disk, random, turn in
            let node = try AccountNode(
                AccountNode.Identity(seed: seed, index: disk.device), address: address, disk: disk, random: random,
                turn: turn)
            if index == liar { node.liar = WireLiar(seed: seed) }
            return node
        }
    }
}
