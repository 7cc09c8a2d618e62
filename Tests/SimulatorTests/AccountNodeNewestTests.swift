import Chat
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Simulator

@Suite("New messages during a restore over a slow link", .timeLimit(.minutes(30)))
struct AccountNodeNewestTests {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    @Test("A new message overtakes the backlog", arguments: 1...TestScale.of(usual: 1, proof: 3) as ClosedRange<UInt64>)
    func overtakes(seed: UInt64) throws {
        var random: any RandomSource = SeededRandom(seed: seed)
        var profile = FaultProfile.calm
        profile.bytesPerSecond = 400_000
        let world = World(nodes: 2, profile: profile, random: SeededRandom(seed: random.next())) {
            index, address, disk, random, turn in
            try AccountNode(
                AccountNode.Identity(seed: seed, index: index), address: address, disk: disk, random: random,
                turn: turn)
        }
        // About nine megabytes that do not compress take more than twenty seconds.
        func message(_ bytes: Int, at seconds: UInt64) -> WorkloadMessage {
            let body = random.bytes(bytes).map { Self.letters[Int($0 & 63)] }
            let sent = World.epoch.milliseconds / 1_000 + Int64(seconds)
            return WorkloadMessage(
                txid: random.identifier(), conversation: "conversation", isReceived: true, senderSeconds: sent,
                blockMilliseconds: sent * 1_000, acceptingDaaScore: UInt64(sent) * 10,
                body: String(decoding: body, as: UTF8.self))
        }
        world.start(0)
        for number in 0..<200 {
            let message = message(60_000, at: UInt64(number))
            world.plan(.operation(node: 0, .message(message)), after: .milliseconds(100 + number))
        }
        world.plan(.operation(node: 0, .flush), after: .seconds(2))
        world.run(until: .zero + .seconds(60))
        world.start(1)
        func node(_ index: Int) throws -> AccountNode { try #require(world.hosts[index].node as? AccountNode) }
        world.run(until: .zero + .seconds(120)) { ((try? node(1).account.store.fetched.bytes) ?? 0) > 3 << 20 }
        #expect(try node(1).account.store.wantedCount > 20)

        let new = message(100, at: 1_000)
        let sentAt = world.now
        world.plan(.operation(node: 0, .message(new)), after: .zero)
        world.plan(.operation(node: 0, .flush), after: .milliseconds(1))
        world.run(until: sentAt + .seconds(60)) { (try? node(1).account.chat.holdsBody(of: new.txid)) == true }
        #expect(world.now - sentAt < .seconds(3), "it came after \(world.now - sentAt)")
        #expect(try node(1).account.store.wantedCount > 5)
        world.run(until: world.now + .seconds(120)) { (try? node(1).account.store.wantedCount) == 0 }
        #expect(try node(1).account.chat.stats().messages == 201)
        #expect(world.ledger.failures.isEmpty, "\(world.ledger.failures)")
    }
}
