import Chat
import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@Suite struct ReadPositionTests {
    private static func random(_ random: inout SeededRandom) -> ReadPosition {
        ReadPosition(
            scorePoint: Bool.random(using: &random)
                ? ScorePoint(
                    acceptingDaaScore: UInt64.random(in: 0..<4, using: &random),
                    txid: TxID(Bytes32(UInt64.random(in: 0..<4, using: &random), 0, 0, 0))) : nil,
            timeMilliseconds: Bool.random(using: &random) ? UInt64.random(in: 0..<5, using: &random) : nil,
            named: (0..<Int.random(in: 0...3, using: &random)).map { _ in
                TxID(Bytes32(UInt64.random(in: 0..<5, using: &random), 0, 0, 0))
            })
    }

    @Test func itIsAJoin() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<3_000 {
            let (a, b, c) = (Self.random(&random), Self.random(&random), Self.random(&random))
            #expect(a.merged(with: b) == b.merged(with: a))
            #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)))
            #expect(a.merged(with: a) == a)
            #expect(a.merged(with: .empty) == a)
            #expect(a.merged(with: b).contains(a) && a.merged(with: b).contains(b))
            // The join covers what either covers, and nothing else.
            let score = Bool.random(using: &random) ? UInt64.random(in: 0..<5, using: &random) : nil
            let txid = TxID(Bytes32(UInt64.random(in: 0..<5, using: &random), 0, 0, 0))
            let time = UInt64.random(in: 0..<6, using: &random)
            func covers(_ position: ReadPosition) -> Bool { position.covers(score: score, txid: txid, time: time) }
            #expect(covers(a.merged(with: b)) == (covers(a) || covers(b)))
        }
    }

    /// Where nothing was received, everything is read, and the conversation's unread mark goes.
    @Test func aConversationOfSentMessagesCanBeMarked() throws {
        let zone = try TestZone(device: 1)
        _ = try zone.zone.accept(.sample(1, direction: .sent), now: .zero)
        _ = try zone.zone.details.change("bob", [.markedUnread(true)], wall: .day(0))
        #expect(try !zone.zone.reads.markRead("bob", upTo: nil, now: .zero, wall: .day(1)))
        #expect(try zone.zone.chat.details("bob").isMarkedUnread?.value == false)
    }

    @Test func aBoundReachesToItsMessageAndToWhereItWas() {
        let message = ChatMessage.sample(1, timestamp: 3, score: 50, blockTime: 5_000)
        func reach(score: UInt64?, time: UInt64, _ message: ChatMessage) -> ReadPosition {
            ReadBound(txid: message.txid, acceptingDaaScore: score, timeMilliseconds: time).reach(message)
        }
        func point(_ score: UInt64) -> ReadPosition {
            ReadPosition(scorePoint: ScorePoint(acceptingDaaScore: score, txid: message.txid))
        }
        #expect(reach(score: 50, time: 5_000, message) == point(50))
        #expect(reach(score: 1 << 61, time: 1 << 47, message) == point(50))
        #expect(reach(score: 40, time: 5_000, message) == point(40))
        // It was marked before it had a score, then with a score unknown here, then after it lost its score.
        #expect(reach(score: nil, time: 1 << 47, message) == ReadPosition(timeMilliseconds: 5_000))
        var reorged = message
        reorged.acceptingDaaScore = nil
        #expect(reach(score: 50, time: 5_000, reorged) == ReadPosition(named: [message.txid]))
        reorged.status = .reorged
        #expect(reach(score: 1 << 61, time: 1 << 47, reorged) == ReadPosition(timeMilliseconds: 5_000))
        #expect(reach(score: 50, time: 4_000, reorged) == ReadPosition(timeMilliseconds: 4_000))
        // It was marked before it was in a block, when its sender's clock gave its place.
        let early = ChatMessage.sample(1, timestamp: 7, blockTime: 5_000)
        #expect(reach(score: nil, time: 7_000, early) == ReadPosition(timeMilliseconds: 7_000))
    }

    @Test func aMessageThatGetsItsScoreStaysRead() {
        var message = ChatMessage.sample(1, timestamp: 100)
        let position = ReadPosition(timeMilliseconds: 100_000)
        #expect(position.covers(message))
        message.blockTime = 99_000
        message.acceptingDaaScore = 1_000
        #expect(position.covers(message))
    }

    @Test func markersComeBackAsTheyWent() throws {
        var random = SeededRandom(seed: 4)
        for _ in 0..<TestScale.of(usual: 60, proof: 300) {
            let marker = ReadMarker(
                conversationID: ["bob", "\u{301}x", "read.x"].randomElement(using: &random) ?? "",
                bounds: (0..<Int.random(in: 0...Limits.readBounds, using: &random)).map { _ in
                    ReadBound(
                        txid: TxID(random.identifier(Bytes32.self)),
                        acceptingDaaScore: Bool.random(using: &random) ? 17 : nil, timeMilliseconds: 18)
                }, named: Self.random(&random).named, readAt: WallTime(milliseconds: -5))
            #expect(try ReadMarker(encoded: marker.encoded) == marker)
            for length in 0..<marker.encoded.count {
                #expect(throws: CBORError.self) { try ReadMarker(encoded: Array(marker.encoded[..<length])) }
            }
            var changed = marker.encoded
            changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = try? ReadMarker(encoded: changed)
        }
    }
}
