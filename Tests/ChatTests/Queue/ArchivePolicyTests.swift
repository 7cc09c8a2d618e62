import ChatTestKit
import NodeCore
import Testing

@testable import Chat

@Suite struct ArchivePolicyTests {
    @Test func valuesAreKeptInTheirBounds() {
        let least = ArchivePolicy(messages: 0, bytes: 0, age: .zero)
        #expect(least == ArchivePolicy(messages: 1, bytes: 4_096, age: .seconds(5)))
        let most = ArchivePolicy(messages: 1_000, bytes: 1 << 30, age: .seconds(100_000))
        #expect(most == ArchivePolicy(messages: 25, bytes: 131_072, age: .seconds(3_600)))
    }

    @Test func aNewPolicyHoldsForWhatWaits() throws {
        let node = try ChatFixture()
        for number in 1...5 { try node.accept(.sample(UInt64(number))) }
        #expect(node.chat.nextCutDeadline == .zero + .seconds(300))
        node.chat.queue.policy = ArchivePolicy(age: .seconds(60))
        #expect(node.chat.nextCutDeadline == .zero + .seconds(60))
        node.chat.queue.policy = ArchivePolicy(messages: 3)
        #expect(node.chat.nextCutDeadline == .zero)
        #expect(try node.cut(force: false) == 1)
        #expect(node.chat.queuedCount == 2)
        #expect(try node.store.contents().map(\.messages.count) == [3])
    }

    @Test func whatWouldExceedTheBytesOpensTheNextSegment() throws {
        let node = try ChatFixture()
        node.chat.queue.policy = ArchivePolicy(bytes: 4_096)
        let bodies = [2_000, 1_500, 1_500, 60_000, 10]
        for (number, bytes) in bodies.enumerated() {
            try node.accept(
                .sample(UInt64(number + 1), score: UInt64(number), body: String(repeating: "x", count: bytes)))
        }
        try node.cut()
        #expect(try node.store.contents().map(\.messages.count) == [2, 1, 1, 1])
    }
}
