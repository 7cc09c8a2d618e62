import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

@Suite struct MessageSearchTests {
    private static let words = ["apple", "Bear", "cédille", "дом", "eel", "fig"]

    /// A chat with messages in segments of two devices and in the queue, some in both.
    private func chat(_ seed: UInt64, messages: UInt64 = 400) throws -> ChatFixture {
        let node = try ChatFixture()
        var random = SeededRandom(seed: seed)
        for round in 0..<8 {
            for number in 0..<messages where number % 8 == UInt64(round) {
                let message = message(number, &random)
                if number % 5 == 0 {
                    try node.arrive([message], sequence: number)
                } else {
                    try node.accept(message)
                }
            }
            if round < 7 { try node.cut(force: round % 2 == 0, now: .zero) }
        }
        return node
    }

    private func message(_ number: UInt64, _ random: inout SeededRandom) -> ChatMessage {
        let body = (0..<3).map { _ in Self.words[Int.random(in: 0..<6, using: &random)] }.joined(separator: " ")
        let time = 1_700_000_000 + number * 977 % 400 * 600
        let hasBlock = number % 9 != 0
        return .sample(
            number, conversation: "c\(number % 7)", timestamp: time, score: number % 4 == 0 ? nil : time * 10,
            blockTime: hasBlock ? time * 1_000 + number : nil, body: number % 50 == 49 ? "" : body)
    }

    private func all(_ search: MessageSearch, work: Int) throws -> [ListedMessage] {
        var found: [ListedMessage] = []
        while !search.isDone { found += try search.step(work: work) }
        return found
    }

    private func expected(_ node: ChatFixture, _ query: SearchQuery) throws -> [ChatMessage] {
        let held = try node.chat.allMessages().map(\.message)
        return held.filter { query.matches($0.body) }.sorted { (time($0), $0.txid) > (time($1), $1.txid) }
    }

    private func time(_ message: ChatMessage) -> UInt64 {
        MessageOrder.time(blockTime: message.blockTime, senderTimestamp: message.senderTimestamp)
    }

    /// A rotted row may give a segment any number up to the highest; found by the fuzzer.
    @Test func aHighArrivalTakesNoMemory() throws {
        let node = try ChatFixture()
        try node.arrive([.sample(1, body: "apple")], sequence: 1)
        try node.database.execute("UPDATE sqlite_sequence SET seq = \(Limits.locationID - 1)")
        try node.arrive([.sample(2, body: "apple")], sequence: 2)
        #expect(try all(MessageSearch(node.chat, for: SearchQuery("apple"), limit: 9), work: 9).count == 2)
    }

    @Test(arguments: 0..<TestScale.of(usual: 6, proof: 12) as Range<UInt64>) func findsWhatAReaderOfAllFinds(
        seed: UInt64
    ) throws {
        let node = try chat(seed)
        let worker = InTurn()
        if seed % 3 > 0 { node.chat.worker = worker }
        defer { #expect(worker.runs > 0 || seed % 3 == 0) }
        for words in ["APPLE", "cedille bear", "\"дом eel\"", "nothing", "e"] {
            let query = try SearchQuery(words)
            let expected = try expected(node, query)
            #expect(words == "nothing" || !expected.isEmpty)
            let found = try all(MessageSearch(node.chat, for: query, limit: 10_000), work: Int(seed) + 1)
            #expect(found.map(\.message) == expected)
            let first = try all(MessageSearch(node.chat, for: query, limit: 3), work: 1)
            #expect(first.map(\.message) == Array(expected.prefix(3)))
            let ofOne = try all(MessageSearch(node.chat, for: query, conversation: "c3", limit: 500), work: 7)
            #expect(ofOne.map(\.message) == expected.filter { $0.conversationID == "c3" })
            let times: Range<UInt64> = 1_700_050_000_000..<1_700_150_000_000
            let between = try all(MessageSearch(node.chat, for: query, times: times, limit: 500), work: 7)
            #expect(between.map(\.message) == expected.filter { times.contains(time($0)) })
        }
        #expect(throws: ChatError.unknownConversation) {
            try MessageSearch(node.chat, for: SearchQuery("e"), conversation: "nobody", limit: 1)
        }
    }

    /// Times contradict the order in the chain: nothing is lost, though some messages come late.
    @Test func timesThatContradictTheOrder() throws {
        let node = try ChatFixture()
        var random = SeededRandom(seed: 3)
        for number in 0..<UInt64(600) {
            let time = UInt64.random(in: 1...2_000_000_000, using: &random)
            try node.accept(.sample(number, conversation: "c\(number % 2)", timestamp: time, score: number, body: "x"))
        }
        try node.cut()
        let found = try all(MessageSearch(node.chat, for: SearchQuery("X"), limit: 10_000), work: 20)
        #expect(Set(found.map(\.message.txid)).count == 600 && found.count == 600)
    }

    /// Between two parts of a search, the queue is cut, segments come and go, and messages become better known.
    @Test(arguments: 0..<TestScale.of(usual: 6, proof: 12) as Range<UInt64>) func whatChangesMeanwhileDoesNoHarm(
        seed: UInt64
    ) throws {
        let node = try chat(seed)
        let worker = InTurn()
        if seed % 2 > 0 { node.chat.worker = worker }
        var random = SeededRandom(seed: seed)
        let query = try SearchQuery("e")
        let expected = Set(try expected(node, query).map(\.txid))
        let search = try MessageSearch(node.chat, for: query, limit: 10_000)
        var found: [ListedMessage] = []
        var number: UInt64 = 1_000
        while !search.isDone {
            found += try search.step(work: 3)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try node.cut()
            case 1:
                number += 1
                try node.accept(message(number, &random))
            case 2:
                number += 1
                try node.arrive([message(number, &random)], sequence: number)
            case 3: try node.chat.flush()
            default: break
            }
        }
        let txids = found.map(\.message.txid)
        #expect(Set(txids).count == txids.count)
        #expect(Set(txids).isSuperset(of: expected))
    }

    @Test(arguments: [false, true]) func aSegmentThatIsGoneIsPassedOver(isShared: Bool) throws {
        let node = try ChatFixture()
        let worker = InTurn()
        if isShared { node.chat.worker = worker }
        let gone = try node.arrive((0..<20).map { .sample($0, conversation: "a", body: "lost") })
        try node.arrive((20..<40).map { .sample($0, conversation: "b", body: "lost and kept") })
        let search = try MessageSearch(node.chat, for: SearchQuery("lost"), limit: 100)
        try node.store.delete(gone)
        #expect(try all(search, work: 5).count == 20)
    }
}
