import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite struct ChatMessageTests {
    @Test func limitsAreNamedWithTheirFields() throws {
        var message = ChatMessage.sample(1, score: 5, blockTime: 7)
        try message.validate()
        func refusal(_ change: (inout ChatMessage) -> Void) -> ChatMessageError? {
            var changed = message
            change(&changed)
            do throws(ChatMessageError) {
                try changed.validate()
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal { $0.conversationID = "" } == .init(field: "conversationId", reason: .empty))
        #expect(
            refusal { $0.conversationID = String(repeating: "x", count: 257) }
                == .init(field: "conversationId", reason: .tooLong(bytes: 257, limit: 256)))
        #expect(
            refusal { $0.contact = String(repeating: "é", count: 129) }
                == .init(field: "contact", reason: .tooLong(bytes: 258, limit: 256)))
        #expect(refusal { $0.body = String(repeating: "b", count: 65_536) } == nil)
        #expect(
            refusal { $0.body = String(repeating: "b", count: 65_537) }?.description
                == "body has 65537 bytes, at most 65536 are taken")
        #expect(refusal { $0.senderTimestamp = .max }?.field == "senderTs")
        #expect(refusal { $0.blockTime = 1 << 48 }?.field == "blockTime")
        #expect(refusal { $0.acceptingDaaScore = 1 << 62 }?.field == "acceptingDaaScore")
        let picture = ChatAttachment(mimeType: "image/png", sizeBytes: 9)
        #expect(
            refusal { $0.attachments = Array(repeating: picture, count: 17) }
                == .init(field: "attachments", reason: .tooMany(count: 17, limit: 16)))
        message.attachments = [picture]
        #expect(
            refusal { $0.attachments[0].inline = [UInt8](repeating: 0, count: 12_289) }?.field == "attachments.inline")
        #expect(refusal { $0.attachments[0].link = String(repeating: "l", count: 2_049) }?.field == "attachments.link")
        #expect(refusal { $0.attachments[0].width = 1 << 53 }?.field == "attachments.width")
    }

    @Test func theOrderIsByScoreThenBlockTimeThenSendersTime() {
        let scored = ChatMessage.sample(1, timestamp: 900, score: 10, blockTime: 900_000)
        let higher = ChatMessage.sample(2, timestamp: 1, score: 11, blockTime: 1)
        let inBlock = ChatMessage.sample(3, timestamp: 5, blockTime: 2)
        let later = ChatMessage.sample(4, timestamp: 4, blockTime: 3)
        let pending = ChatMessage.sample(5, timestamp: 0)
        let sorted = [pending, later, higher, inBlock, scored].sorted { $0.order < $1.order }
        #expect(sorted == [scored, higher, inBlock, later, pending])
        // Beyond the limits nothing overflows into another class.
        #expect(MessageOrder(score: .max, blockTime: nil, senderTimestamp: 0) < inBlock.order)
        #expect(MessageOrder(score: nil, blockTime: .max, senderTimestamp: 0) < pending.order)
        #expect(MessageOrder(score: nil, blockTime: nil, senderTimestamp: .max) > pending.order)
    }

    @Test func thePreferenceIsATotalOrder() {
        var random = SeededRandom(seed: 1)
        func version() -> ChatMessage {
            .sample(
                1, score: [nil, 1, 2].randomElement(using: &random) ?? nil,
                blockTime: [nil, 1, 2].randomElement(using: &random) ?? nil,
                body: ["", "a", "b", "c"].randomElement(using: &random))
        }
        for _ in 0..<2_000 {
            let (a, b, c) = (version(), version(), version())
            #expect(!(a.isPreferred(over: b) && b.isPreferred(over: a)))
            #expect(a.isPreferred(over: b) || b.isPreferred(over: a) || a == b)
            if a.isPreferred(over: b), b.isPreferred(over: c) { #expect(a.isPreferred(over: c)) }
        }
    }

    @Test func somethingToShowBeatsNothing() {
        let stub = ChatMessage.sample(1, score: 9, body: "")
        let body = ChatMessage.sample(1, body: "hello")
        #expect(body.isPreferred(over: stub))
        #expect(!stub.isPreferred(over: body))
    }

    @Test func theLowerHashWins() {
        let one = ChatMessage.sample(1, body: "one")
        let two = ChatMessage.sample(1, body: "two")
        #expect(one.contentHash != two.contentHash)
        #expect(one.isPreferred(over: two) == (one.contentHash < two.contentHash))
    }
}
