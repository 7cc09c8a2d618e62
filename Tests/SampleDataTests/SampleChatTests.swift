import SampleData
import Testing

@Suite("Sample chat")
struct SampleChatTests {
    static let messages = SampleChat().messages()

    @Test("the default has the shape of a real history")
    func shape() {
        let messages = Self.messages
        #expect(messages.count == 40_000)
        #expect(Set(messages.map(\.txid)).count == 40_000)
        let conversations = Dictionary(grouping: messages, by: \.conversationID).mapValues(\.count)
        #expect(conversations.count == 1_212)
        #expect((31_000...34_000).contains(conversations[SampleChat.channel] ?? 0))
        #expect(conversations.values.sorted()[606] <= 6)
        #expect(Set(messages.map(\.device)) == ["phone", "laptop", "tablet"])
        #expect((0.3...0.4).contains(Double(messages.filter(\.isSent).count) / 40_000))
        let bytes = messages.map { Double($0.body.utf8.count) }.reduce(0, +) / 40_000
        #expect((40...56).contains(bytes))
        #expect(messages.allSatisfy { !$0.body.isEmpty && $0.body.utf8.count <= 500 })
    }

    @Test("time only goes forward, and no two block times are equal")
    func order() {
        let times = Self.messages.map(\.blockTime)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("the same arguments give the same history, another seed another")
    func determinism() {
        let one = SampleChat(seed: 7, messageCount: 500, conversationCount: 20).messages()
        #expect(one == SampleChat(seed: 7, messageCount: 500, conversationCount: 20).messages())
        #expect(one != SampleChat(seed: 8, messageCount: 500, conversationCount: 20).messages())
        #expect(one.count == 500)
        #expect(Set(one.map(\.conversationID)).count == 20)
    }

    @Test("small histories keep their counts", arguments: [(1, 1), (2, 2), (30, 30), (100, 3)])
    func small(messageCount: Int, conversationCount: Int) {
        let messages = SampleChat(messageCount: messageCount, conversationCount: conversationCount).messages()
        #expect(messages.count == messageCount)
        #expect(Set(messages.map(\.conversationID)).count == conversationCount)
    }
}
