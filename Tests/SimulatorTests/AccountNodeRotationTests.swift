import Chat
import Gossip
import Ledger
import NodeCore
import SyncState
import Testing
import Transport

@testable import Simulator

/// Key rotations and pauses, on whole nodes in virtual time.
@Suite("Keys are rotated and accounts pause in the simulated world")
struct AccountNodeRotationTests {
    private final class Devices {
        var nodes: [Int: AccountNode] = [:]
    }

    private let devices = Devices()

    private func world(_ count: Int, beaconLoss: Double = 0) throws -> World {
        var profile = FaultProfile()
        profile.datagramLoss = beaconLoss
        return World(nodes: count, profile: profile, random: SeededRandom(seed: 5)) {
            index, address, disk, random, turn in
            let node = try AccountNode(
                AccountNode.Identity(seed: 5, index: index), address: address, disk: disk, random: random, turn: turn)
            devices.nodes[index] = node
            return node
        }
    }

    private func account(_ index: Int) throws -> AccountZone { try #require(devices.nodes[index]).account }

    /// Performs a user's action at a device.
    private func use(_ world: World, _ index: Int, _ body: (AccountNode, Turn) throws -> Void) {
        world.turn(index, "user") { _, turn in
            guard let node = devices.nodes[index] else { return }
            try body(node, turn)
            try node.endTurn(turn)
        }
    }

    private func rotate(_ world: World, _ index: Int, times: Int) {
        for _ in 0..<times {
            use(world, index) { node, _ in try node.account.membership.rotate() }
        }
    }

    private func agree(_ world: World) -> Bool { Set(world.hosts.map { $0.node?.digest }).count == 1 }

    /// Whether within `span` all devices hold the same, show this many messages and have the same root with this
    /// number.
    private func meet(
        _ world: World, epoch: UInt64, messages: Int = 0, within span: Duration
    ) throws -> Bool {
        let isThere = {
            agree(world)
                && Set(devices.nodes.values.map(\.account.membership.root.rotate)).count == 1
                && devices.nodes.values.allSatisfy {
                    $0.account.membership.epoch == epoch
                        && (try? $0.account.chat.stats().messages) == messages
                }
        }
        world.run(until: world.now + span, isDone: isThere)
        #expect(world.ledger.failures.isEmpty)
        return isThere()
    }

    @Test("A fresh device finds an account however often its keys were replaced", arguments: [1, 3, 40])
    func freshDevice(rotations: Int) throws {
        let world = try world(2)
        world.start(0)
        world.perform(.message(world.drawMessage()), on: 0)
        rotate(world, 0, times: rotations)
        world.perform(.message(world.drawMessage()), on: 0)
        world.perform(.flush, on: 0)
        world.start(1)
        #expect(try meet(world, epoch: UInt64(rotations), messages: 2, within: .seconds(120)))
    }

    @Test("A device that slept through five rotations comes back")
    func sleeper() throws {
        let world = try world(3)
        for index in 0..<3 { world.start(index) }
        #expect(try meet(world, epoch: 0, within: .seconds(120)))
        world.kill(2, isSilent: false)
        rotate(world, 0, times: 4)
        rotate(world, 1, times: 1)
        world.perform(.message(world.drawMessage()), on: 0)
        world.perform(.flush, on: 0)
        devices.nodes[2] = nil
        world.run(until: world.now + .seconds(180))
        // Two devices rotated at once: the higher number stands, or one continued from the other's.
        let epoch = try account(0).membership.epoch
        #expect((4...5).contains(epoch))
        #expect(try meet(world, epoch: epoch, messages: 1, within: .seconds(120)))
        #expect(devices.nodes.count == 3)
    }

    /// They share only the first root: each has a newer one that the other does not know.
    @Test("Devices that never met and replaced the keys apart find each other by their beacons")
    func rotatedApart() throws {
        let world = try world(2)
        world.partitions = [
            Partition(number: 1, isSender: [false, true], isReceiver: [true, false]),
            Partition(number: 1, isSender: [true, false], isReceiver: [false, true]),
        ]
        for index in 0..<2 {
            world.start(index)
            rotate(world, index, times: 1)
        }
        world.run(until: world.now + .seconds(60))
        #expect(try account(0).membership.root.rotate != account(1).membership.root.rotate)
        world.heal(1)
        #expect(try meet(world, epoch: 1, within: .seconds(300)))
    }

    @Test("Without beacons, keys are tried until one opens")
    func withoutBeacons() throws {
        let world = try world(2, beaconLoss: 1)
        world.start(0)
        rotate(world, 0, times: 3)
        world.start(1)
        let address = world.hosts[0].address
        use(world, 1) { node, turn in node.machine.onStatic([address], now: turn.now) }
        #expect(try meet(world, epoch: 3, within: .seconds(180)))
    }

    @Test("Under a root that the account never had nobody opens a session")
    func foreignRootIsOut() throws {
        let world = try world(1)
        world.start(0)
        let first = try account(0).keys.firstRoot
        rotate(world, 0, times: 1)
        // A device that slept, or restores by the words, connects with an earlier root.
        #expect(try opens(with: first))
        #expect(try opens(with: account(0).membership.root))
        #expect(try !opens(with: ZoneRoot(rotate: first.rotate, secret: first.reading)))
    }

    /// Whether a stranger with that root gets an answer from device 0.
    private func opens(with root: ZoneRoot) throws -> Bool {
        let node = try #require(devices.nodes[0])
        var random = SeededRandom(seed: 11)
        let doors = Doors(
            keys: node.machine.doors.map { DoorKeys(discovery: $0.discovery, psk: $0.psk) },
            challenge: random.bytes(32))
        let responder = SessionMachine(responderAt: doors, random: &random, now: .zero)
        let initiator = SessionMachine(
            initiatorWith: DoorKeys(discovery: root.discovery, psk: root.session), random: &random, now: .zero)
        var output = OutputBuffer()
        responder.drain(upTo: 4_096, into: &output)
        _ = initiator.receive(output.withUnsafeBytes { [UInt8]($0) }, now: .zero)
        output = OutputBuffer()
        initiator.drain(upTo: 4_096, into: &output)
        _ = responder.receive(output.withUnsafeBytes { [UInt8]($0) }, now: .zero)
        return responder.failure == nil
    }

    @Test("A device that pauses is silent and alone, across restarts, and catches up when it goes on")
    func pause() throws {
        let world = try world(2)
        for index in 0..<2 { world.start(index) }
        #expect(try meet(world, epoch: 0, within: .seconds(120)))
        use(world, 1) { node, turn in try node.account.accountState.pause(by: "the test", wall: turn.wall) }
        world.run(until: world.now + .seconds(5))
        #expect(devices.nodes[0]?.served?.sync.peers.isEmpty == true)
        #expect(devices.nodes[1]?.machine.doors.isEmpty == true)

        // Local work continues, and stays here.
        world.perform(.message(world.drawMessage()), on: 1)
        world.perform(.message(world.drawMessage()), on: 0)
        world.perform(.flush, on: 0)
        world.kill(1, isSilent: false)
        world.run(until: world.now + .seconds(1_200))
        #expect(try account(1).pause?.by == "the test")
        #expect(try account(1).chat.stats().messages == 1)
        #expect(try account(1).chat.queuedCount == 1)
        #expect(try account(0).chat.stats().messages == 1)
        #expect(devices.nodes[1]?.served?.sync.peers.isEmpty == true)

        use(world, 1) { node, _ in try node.account.accountState.resume() }
        #expect(try meet(world, epoch: 0, messages: 2, within: .seconds(300)))
    }
}
