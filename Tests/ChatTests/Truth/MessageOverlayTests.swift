import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

/// All devices end with the same row, whatever comes first.
@Suite struct MessageOverlayTests {
    private enum Event: CaseIterable {
        case stub, confirm, reorg, accept, segment, record, deletion
    }

    private static let message = ChatMessage.sample(7, score: 30, blockTime: 3_000, body: "hello")

    private func happen(_ event: Event, on device: TestZone, elsewhere: TestZone) throws {
        let zone = device.zone
        switch event {
        case .stub:
            _ = try zone.hint(
                Stub(
                    txid: Self.message.txid, conversationID: "bob", direction: .received,
                    hintedAt: WallTime(milliseconds: 5)))
        case .confirm:
            _ = try zone.learn(
                ChainEvent(txid: Self.message.txid, kind: .confirm, blockTime: 4_000, acceptingDaaScore: 40),
                now: .zero)
        case .reorg: _ = try zone.learn(ChainEvent(txid: Self.message.txid, kind: .reorg), now: .zero)
        case .accept: _ = try zone.accept(Self.message, now: .zero)
        case .segment:
            _ = try zone.accept(Self.message, now: .zero)
            try zone.cut(force: true, now: .zero)
        case .record:
            // Another device has the message with fewer chain facts, and another body beside it.
            var other = Self.message
            (other.acceptingDaaScore, other.blockTime, other.status) = (nil, nil, .pending)
            _ = try elsewhere.zone.accept(other, now: .zero)
            _ = try elsewhere.zone.accept(.sample(8, score: 35, blockTime: 3_500), now: .zero)
            try elsewhere.zone.cut(force: true, now: .zero)
            try elsewhere.zone.commit()
        case .deletion:
            _ = try zone.deletions.delete(message: Self.message.txid, wall: WallTime(milliseconds: 1_700_000_000_000))
        }
        try zone.commit()
    }

    /// All orders of up to six events, on three devices in turn, each order starting with another device.
    @Test(arguments: 0..<7) func allOrdersEndInTheSameRow(first: Int) throws {
        var random = SeededRandom(seed: UInt64(first))
        for order in Self.orders(startingWith: first) where Int.random(in: 0..<Self.skip(order), using: &random) == 0 {
            try run(order, &random)
        }
    }

    /// Every short order, and a sample of the 5,040 longest ones for each first event.
    private static func skip(_ order: [Event]) -> Int {
        TestScale.of(usual: [1, 1, 1, 8, 64, 256, 1_024], proof: [1, 1, 1, 1, 4, 16, 64])[min(order.count, 6)]
    }

    private static func orders(startingWith first: Int) -> [[Event]] {
        func extend(_ order: [Event]) -> [[Event]] {
            var all = [order]
            guard order.count < 6 else { return all }
            for event in Event.allCases where !order.contains(event) { all += extend(order + [event]) }
            return all
        }
        return extend([Event.allCases[first]])
    }

    private func run(_ order: [Event], _ random: inout SeededRandom) throws {
        let cluster = try TruthCluster(3)
        for (step, event) in order.enumerated() {
            let place = step % 3
            try happen(event, on: cluster.devices[place], elsewhere: cluster.devices[(place + 1) % 3])
            if Bool.random(using: &random) {
                try cluster.pull(Int.random(in: 0..<3, using: &random), from: Int.random(in: 0..<3, using: &random))
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                cluster.devices[place] = try cluster.devices[place].reopened()
            }
        }
        // The last segment is cut, and then all devices hold everything.
        for device in cluster.devices {
            try device.zone.cut(force: true, now: .zero)
            try device.zone.commit()
        }
        try cluster.settle()
        let isDeleted = order.contains(.deletion)
        let hasBody = order.contains { [.accept, .segment, .record].contains($0) }
        let rows = try (0..<3).map { try cluster.row($0, Self.message.txid) }
        for (place, row) in rows.enumerated() {
            #expect(row.message == rows[0].message && row.isRead == rows[0].isRead, "\(order) on \(place)")
            #expect(row.message != nil ? hasBody && !isDeleted : !hasBody || isDeleted, "\(order) on \(place)")
            #expect(row.message?.body ?? "hello" == "hello", "\(order)")
            let chat = cluster.devices[place].zone.chat
            let listed = try chat.messages(conversation: "bob", limit: 10)
            #expect(try chat.conversation("bob")?.unread ?? 0 == listed.count { !$0.isRead }, "\(order) on \(place)")
            #expect(try chat.stats().messages == listed.count, "\(order) on \(place)")
            #expect(chat.queuedCount == 0)
            if let shown = row.message { #expect(listed.contains { $0.message == shown }, "\(order) on \(place)") }
        }
    }
}
