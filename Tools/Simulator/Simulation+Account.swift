import NodeCore
import SyncState

extension Simulation {
    /// Runs devices of one chat account: the real node.
    ///
    /// - Parameter memoryBytes: see `run`.
    package func runAccount(memoryBytes: (() -> Int)? = nil) throws -> SimulationReport {
        let seed = seed
        return try run(memoryBytes: memoryBytes) { _, address, disk, random, turn in
            try AccountNode(
                AccountNode.Identity(seed: seed, index: disk.device), address: address, disk: disk, random: random,
                turn: turn)
        }
    }
}
