import ChatTestKit
import NodeCore
import Testing

@testable import Chat

@Suite struct ConversationOrderTests {
    private static func place(_ number: UInt32, _ name: String, _ time: UInt64) -> ConversationPlace {
        ConversationPlace(number: number, name: name, time: time)
    }

    /// The first list reads all rows; later ones read only those whose listing changed.
    @Test func aListReadsWhatHasChanged() throws {
        var times: [UInt32: UInt64] = [1: 10, 2: 30, 3: 20]
        var order = ConversationOrder()
        var asked: [UInt32?] = []
        func names() throws -> [String] {
            try order.update { number in
                asked.append(number)
                return times.keys.sorted().filter { number == nil || number == $0 }
                    .map { Self.place($0, "c\($0)", times[$0] ?? 0) }
            }.map(\.name)
        }
        #expect(try names() == ["c2", "c3", "c1"])
        #expect(try names() == ["c2", "c3", "c1"])
        #expect(asked == [nil])
        (times[1], times[2], times[4]) = (40, nil, 20)
        for number in [1, 2, 4] as [UInt32] { order.note(number) }
        #expect(try names() == ["c1", "c3", "c4"], "moved, gone and new")
        #expect(asked == [nil, 1, 2, 4])
        order.forget()
        times = [7: 1]
        #expect(try names() == ["c7"])
    }

    /// Whatever happens between two lists, the kept order equals that of a fresh start.
    @Test func theKeptOrderIsThatOfAFreshStart() throws {
        let node = try ChatFixture()
        var random = SeededRandom(seed: 5)
        for round in 0..<60 as Range<UInt64> {
            for number in 0..<(random.next() % 4) {
                let time = random.next() % 50 + 1
                try node.accept(
                    .sample(
                        round * 10 + number, conversation: "c\(random.next() % 12)", timestamp: time, score: time,
                        blockTime: time * 1_000))
            }
            let kept = try node.chat.conversationList()
            node.chat.conversations.newest.order.forget()
            #expect(try node.chat.conversationList() == kept)
        }
        #expect(try ConversationList(node.chat).places().count == 12)
    }
}
