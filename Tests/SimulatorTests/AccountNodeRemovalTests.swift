import Chat
import Gossip
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Simulator

/// Removals that do not know of each other, on whole nodes in virtual time.
@Suite("Devices are shut out in the simulated world")
struct AccountNodeRemovalTests {
    private final class Devices {
        var nodes: [Int: AccountNode] = [:]
    }

    private let devices = Devices()

    private func world(seed: UInt64) throws -> World {
        World(nodes: 3, profile: FaultProfile(), random: SeededRandom(seed: seed)) {
            index, address, disk, random, turn in
            let node = try AccountNode(
                AccountNode.Identity(seed: seed, index: index), address: address, disk: disk, random: random,
                turn: turn)
            devices.nodes[index] = node
            return node
        }
    }

    private func account(_ index: Int) throws -> AccountZone { try #require(devices.nodes[index]).account }

    /// Types the words at one device to remove another one.
    private func remove(_ other: Int, at index: Int, in world: World, seed: UInt64) throws {
        let lane = try account(other).lane
        let signer = AccountNode.Identity(seed: seed, index: index).signer
        world.turn(index, "user") { node, turn in
            try devices.nodes[index]?.account.removal.remove(lane, by: signer)
            try devices.nodes[index]?.endTurn(turn)
        }
    }

    private func isRemoved(_ other: Int, at index: Int) throws -> Bool {
        try account(index).membership.laneStanding(of: account(other).lane) == .removed
    }

    @Test(
        "What the person signed on a device that was removed meanwhile is taken from it",
        arguments: 1...6 as ClosedRange<UInt64>)
    func removalsThatCross(seed: UInt64) throws {
        let world = try world(seed: seed)
        for index in 0..<3 { world.start(index) }
        world.run(until: world.now + .seconds(120)) { devices.nodes.values.allSatisfy { $0.connectedCount == 2 } }
        // Nobody hears the second device while it removes the third, and is itself removed by the first.
        world.partitions = [
            Partition(number: 1, isSender: [false, true, false], isReceiver: [true, false, true]),
            Partition(number: 1, isSender: [true, false, true], isReceiver: [false, true, false]),
        ]
        try remove(2, at: 1, in: world, seed: seed)
        try remove(1, at: 0, in: world, seed: seed)
        world.run(until: world.now + .seconds(60))
        #expect(try !isRemoved(2, at: 0) && isRemoved(1, at: 2))
        world.heal(1)
        let isHeard = { (1...2).allSatisfy { (try? isRemoved($0, at: 0)) == true } }
        world.run(until: world.now + .seconds(600)) {
            isHeard() && (1...2).allSatisfy { (try? account($0).membership.isOver) == true }
        }
        #expect(isHeard())
        for index in 1...2 { #expect(try account(index).membership.isOver, "device \(index)") }
        #expect(try !account(0).membership.isOver)
        #expect(world.ledger.failures.isEmpty)
    }
}
