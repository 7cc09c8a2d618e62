import NodeCore
import Testing

@testable import Transport

@Suite struct SessionMachineTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func shakesHandsHoweverTheStreamIsCut(seed: UInt64) throws {
        let pair = SessionPair(seed: seed)
        pair.pump(piece: seed == 1 ? 1 : Int(seed) * 7)
        guard case .established(let door, let hash) = try #require(pair.responderEvents.first),
            case .established(let own, let initiatorHash) = try #require(pair.initiatorEvents.first)
        else {
            Issue.record("no session")
            return
        }
        #expect(door == 1 && own == 0)
        #expect(hash == initiatorHash && hash.count == 32)
    }

    /// Replays and strangers' messages never share it, so a signature of it is valid nowhere else.
    @Test func noTwoSessionsHaveOneHandshakeHash() {
        var hashes: Set<[UInt8]> = []
        for seed in 1...20 as ClosedRange<UInt64> {
            let pair = SessionPair(seed: seed)
            pair.pump()
            for case .established(_, let hash) in pair.responderEvents { hashes.insert(hash) }
        }
        #expect(hashes.count == 20)
    }

    /// Unprompted, a responder sends only random bytes, the same number to everybody.
    @Test func theResponderSpeaksFirstOnlyOfChance() {
        let pair = SessionPair()
        pair.initiator.enqueue([7], priority: .control)
        let challenge = SessionPair.output(of: pair.responder)
        #expect(challenge.count == 32)
        #expect(pair.initiator.receive(challenge, now: pair.now).isEmpty)
        // This is a hint, an ephemeral key and a tag; queued messages wait for the keys.
        let opening = SessionPair.output(of: pair.initiator)
        #expect(opening.count == 8 + 48)
        #expect(pair.responder.receive(opening, now: pair.now).count == 1)
        let answer = SessionPair.output(of: pair.responder)
        #expect(answer.count == 48)
        #expect(!pair.responder.hasOutput)
        #expect(pair.initiator.receive(answer, now: pair.now).count == 1)
        #expect(pair.initiator.hasOutput)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func messagesArriveWholeAndInOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pair = SessionPair(seed: seed)
        var sizes = [1, 127, 128, 16_383, 16_384, 65_000]
        for _ in 0..<40 { sizes.append(Int.random(in: 1...9000, using: &random)) }
        let messages = sizes.map { random.bytes($0) }
        // They wait until the handshake is over.
        for message in messages { pair.initiator.enqueue(message, priority: .records) }
        for message in messages.reversed() { pair.responder.enqueue(message, priority: .control) }
        #expect(pair.initiator.queuedBytes == sizes.reduce(0, +))
        pair.pump(piece: 100_000, drain: 50_000)
        #expect(SessionPair.messages(pair.responderEvents) == messages)
        #expect(SessionPair.messages(pair.initiatorEvents) == messages.reversed())
        #expect(pair.initiator.queuedBytes == 0 && !pair.initiator.hasOutput)
    }

    @Test func urgentMessagesOvertakeABacklog() {
        let pair = SessionPair()
        pair.pump()
        let bulk = [UInt8](repeating: 4, count: 60_000)
        for _ in 0..<20 { pair.initiator.enqueue(bulk, priority: .backfill) }
        var output = OutputBuffer()
        pair.initiator.drain(upTo: 1, into: &output)
        pair.initiator.enqueue([3], priority: .recentBlobs)
        pair.initiator.enqueue([1], priority: .control)
        pair.initiator.enqueue([2], priority: .records)
        pair.initiator.enqueue([1, 1], priority: .control)
        while pair.initiator.hasOutput { pair.initiator.drain(upTo: 1, into: &output) }
        let events = output.withUnsafeBytes { pair.responder.receive($0, now: pair.now) }
        let firsts = SessionPair.messages(events).map { $0.count == bulk.count ? [4] : $0 }
        #expect(firsts.prefix(6) == [[4], [1], [1, 1], [2], [3], [4]])
        #expect(firsts.count == 24)
    }

    @Test func smallMessagesShareAFrame() {
        let pair = SessionPair()
        pair.pump()
        for _ in 0..<100 { pair.initiator.enqueue([9, 9, 9], priority: .control) }
        var output = OutputBuffer()
        pair.initiator.drain(upTo: 1, into: &output)
        // That is 100 messages of 3 bytes, each after a length byte, a header of two and a tag of sixteen.
        #expect(output.count == 418)
    }

    @Test func aHandshakeTakesTwoCurveOperationsEach() {
        let pair = SessionPair()
        pair.pump()
        // These are the own ephemeral key, then ee.
        #expect(pair.initiator.curveOperations == 2)
        #expect(pair.responder.curveOperations == 2)
    }

    @Test func aHandshakeThatStallsEnds() {
        for (machine, seconds) in [(SessionPair().responder, 2), (SessionPair().initiator, 5)] {
            let start = SessionPair().now
            let end = start + .seconds(seconds)
            #expect(machine.deadline == end)
            #expect(machine.tick(now: end - .milliseconds(1)).isEmpty)
            #expect(machine.tick(now: end) == [.failed(.handshakeTimeout)])
            #expect(machine.deadline == nil && machine.tick(now: end + .seconds(9)).isEmpty)
        }
        let pair = SessionPair()
        #expect(pair.responder.receive([1], now: pair.now + .seconds(2)) == [.failed(.handshakeTimeout)])
        #expect(pair.initiator.receive([1], now: pair.now + .seconds(5)) == [.failed(.handshakeTimeout)])
    }

    @Test func aTransferThatStallsEnds() {
        let pair = SessionPair()
        pair.pump()
        #expect(pair.responder.deadline == nil)
        pair.responder.setExpectingData(true, now: pair.now)
        pair.initiator.enqueue([UInt8](repeating: 0, count: 1024), priority: .backfill)
        pair.pump()
        let window = pair.now + .seconds(10)
        #expect(pair.responder.deadline == window)
        #expect(pair.responder.tick(now: window).isEmpty)
        #expect(pair.responder.deadline == window + .seconds(10))
        #expect(pair.responder.tick(now: window + .seconds(10)) == [.failed(.tooSlow)])
    }

    @Test func aPeerThatTakesNothingIsLetGo() {
        let pair = SessionPair()
        pair.pump()
        pair.responder.noteSent(500, waiting: 70_000, now: pair.now)
        pair.responder.noteSent(0, waiting: 0, now: pair.now)
        #expect(pair.responder.deadline == nil)
        pair.responder.noteSent(500, waiting: 70_000, now: pair.now)
        #expect(pair.responder.tick(now: pair.now + .seconds(10)) == [.failed(.tooSlow)])
    }
}
