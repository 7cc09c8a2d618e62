import NodeCore
import SyncState

extension Simulation {
    /// Runs devices of one chat account: the real node.
    package func runAccount() throws -> SimulationReport {
        let seed = seed
        return try run { _, address, disk, random, turn in
            try AccountNode(
                AccountNode.Identity(seed: seed, index: disk.device), address: address, disk: disk, random: random,
                turn: turn)
        }
    }
}
