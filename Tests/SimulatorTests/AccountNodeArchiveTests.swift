import Chat
import Gossip
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Simulator

@Suite("Archives of connected devices")
struct AccountNodeArchiveTests {
    /// A day of three devices, or part of it, in which all see the chain and the network is up.
    @Test(
        "Three devices that receive the same store it once",
        arguments: 1...TestScale.of(usual: 1, proof: 3) as ClosedRange<UInt64>)
    func copies(seed: UInt64) throws {
        let part = TestScale.of(usual: 8, proof: 1)
        let messages = 600 / part
        var random: any RandomSource = SeededRandom(seed: seed)
        let world = World(nodes: 3, profile: .calm, random: SeededRandom(seed: random.next())) {
            index, address, disk, random, turn in
            try AccountNode(
                AccountNode.Identity(seed: seed, index: index), address: address, disk: disk, random: random,
                turn: turn)
        }
        for index in 0..<3 { world.start(index) }
        let span = Duration.seconds(86_000 / part)
        for _ in 0..<messages {
            let at = Duration.milliseconds(Int64.random(in: 10_000...86_000_000 / Int64(part), using: &random))
            let sent = (World.epoch + at).milliseconds
            let message = WorkloadMessage(
                txid: random.identifier(), conversation: "conversation-\(Int.random(in: 0..<10, using: &random))",
                isReceived: true, senderSeconds: sent / 1_000, blockMilliseconds: sent + 1_000,
                acceptingDaaScore: UInt64(sent / 100), body: "a word")
            for index in 0..<3 {
                // Each device sees the chain a little earlier or later.
                let wait = Duration.milliseconds(Int64.random(in: 0...8_000, using: &random))
                world.plan(.operation(node: index, .message(message)), after: at + wait)
            }
        }
        world.run(until: .zero + span + .seconds(600))
        #expect(world.ledger.failures.isEmpty, "\(world.ledger.failures)")
        var digests: Set<[UInt8]> = []
        for host in world.hosts {
            let node = try #require(host.node as? AccountNode)
            digests.insert(node.digest)
            let stats = try node.account.chat.stats()
            #expect(stats.messages == messages && stats.queued == 0)
            let copies = try Self.copies(node.account)
            #expect(copies >= messages && Double(copies) / Double(messages) <= 1.05, "\(copies) copies")
        }
        #expect(digests.count == 1)
    }

    /// Three devices that have met, and a burst that one sends or all receive at nearly the same time.
    @Test("A burst is on all devices within a second, once", arguments: 1...8 as ClosedRange<UInt64>)
    func burst(seed: UInt64) throws {
        var random: any RandomSource = SeededRandom(seed: seed)
        let world = World(nodes: 3, profile: .calm, random: SeededRandom(seed: random.next())) {
            index, address, disk, random, turn in
            try AccountNode(
                AccountNode.Identity(seed: seed, index: index), address: address, disk: disk, random: random,
                turn: turn)
        }
        for index in 0..<3 { world.start(index) }
        let nodes = { world.hosts.compactMap { $0.node as? AccountNode } }
        func agree(within limit: Duration) -> Bool {
            let end = world.now + limit
            while world.now < end {
                world.run(until: world.now + .milliseconds(50))
                let zones = nodes().map(\.account)
                if zones.allSatisfy({ $0.connectedDevices.count == 2 && !$0.hasQueued }),
                    Set(nodes().map(\.digest)).count == 1
                {
                    return true
                }
            }
            return false
        }
        #expect(agree(within: .seconds(300)))
        var held = 0
        for isReceived in [false, true, false, true] {
            for number in 0..<10 {
                let at = world.now + .milliseconds(100 * number)
                let message = WorkloadMessage(
                    txid: random.identifier(), conversation: "talk", isReceived: isReceived,
                    senderSeconds: World.epoch.milliseconds / 1_000, blockMilliseconds: nil, acceptingDaaScore: nil,
                    body: "a word")
                for index in 0..<(isReceived ? 3 : 1) {
                    world.plan(.operation(node: index, .message(message)), after: at - world.now + .milliseconds(index))
                }
            }
            world.run(until: world.now + .milliseconds(900))
            let isTold = nodes()[0].served?.sync.isCaughtUp
            #expect(isTold == false)
            #expect(agree(within: .seconds(1)))
            held += 10
            for node in nodes() {
                #expect(try node.account.chat.stats().messages == held)
                // Each is there once, and takes no more than its own segment.
                #expect(try Self.copies(node.account) == held)
                #expect(try node.account.chat.stats().segments <= held / 10)
                #expect(node.served?.sync.isCaughtUp == true)
            }
            world.run(until: world.now + .seconds(60))
        }
        #expect(world.ledger.failures.isEmpty, "\(world.ledger.failures)")
    }

    /// The messages of all segments held, with duplicates.
    private static func copies(_ zone: AccountZone) throws -> Int {
        try zone.store.vector.reduce(0) { sum, lane in
            let rows = try zone.store.newest(of: lane.id, count: 10_000)
            return try rows.reduce(sum) { sum, row in
                guard let meta = try zone.open(Record(encoded: row)) as? SegmentMeta else { return sum }
                return sum + meta.messageCount
            }
        }
    }
}
