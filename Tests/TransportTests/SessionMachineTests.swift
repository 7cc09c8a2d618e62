import NodeCore
import Testing

@testable import Transport

@Suite struct SessionMachineTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func shakesHandsHoweverTheStreamIsCut(seed: UInt64) throws {
        let pair = SessionPair(seed: seed)
        pair.pump(piece: seed == 1 ? 1 : Int(seed) * 7)
        guard case .established(let candidate, let remote, let hash) = try #require(pair.responderEvents.first),
            case .established(let own, let responderKey, let initiatorHash) = try #require(pair.initiatorEvents.first)
        else {
            Issue.record("no session")
            return
        }
        #expect(candidate == 20 && own == 0)
        #expect(remote == SessionPair.key(101).publicKey)
        #expect(responderKey == SessionPair.key(202).publicKey)
        #expect(hash == initiatorHash && hash.count == 32)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func messagesArriveWholeAndInOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pair = SessionPair(seed: seed)
        var sizes = [1, 127, 128, 16_383, 16_384, 65_000]
        for _ in 0..<40 { sizes.append(Int.random(in: 1...9000, using: &random)) }
        let messages = sizes.map { random.bytes($0) }
        // Before the handshake is over they wait.
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
        // 100 messages of 3 bytes after a length of one, a header of two, a tag of sixteen.
        #expect(output.count == 418)
    }

    @Test func aStrangerCausesNoCurveOperation() {
        let pair = SessionPair(psk: 99, candidates: 50)
        pair.pump(piece: 10)
        #expect(pair.responderEvents == [.failed(.noMatchingKey)])
        #expect(pair.responder.curveOperations == 0)
        #expect(pair.initiatorEvents.isEmpty)
        #expect(!pair.responder.hasOutput)
        #expect(pair.responder.receive([1, 2, 3], now: pair.now).isEmpty)
    }

    @Test func aHandshakeTakesFourCurveOperationsEach() {
        let pair = SessionPair()
        pair.pump()
        // The own ephemeral key, then ee, es and se.
        #expect(pair.initiator.curveOperations == 4)
        #expect(pair.responder.curveOperations == 4)
    }

    @Test func aRecordedFirstMessageIsWorthless() {
        var random = SeededRandom(seed: 4)
        let now = MonotonicTime.zero
        let candidates = [SessionCandidate(id: 1, psk: SessionPair.psk(1), staticKey: SessionPair.key(2))]
        let first = SessionMachine(responderWith: candidates, random: &random, now: now)
        let initiator = SessionMachine(
            initiatorWith: SessionPair.psk(1), staticKey: SessionPair.key(3), random: &random, now: now)
        var challenge = OutputBuffer()
        first.drain(upTo: 1, into: &challenge)
        _ = challenge.withUnsafeBytes { initiator.receive($0, now: now) }
        var recorded = OutputBuffer()
        initiator.drain(upTo: 1, into: &recorded)
        #expect(recorded.withUnsafeBytes { first.receive($0, now: now) }.isEmpty)
        #expect(first.hasOutput)
        let second = SessionMachine(responderWith: candidates, random: &random, now: now)
        #expect(recorded.withUnsafeBytes { second.receive($0, now: now) } == [.failed(.noMatchingKey)])
        #expect(second.curveOperations == 0)
    }

    @Test func aHandshakeThatStallsEnds() {
        let pair = SessionPair()
        #expect(pair.responder.deadline == pair.now + .seconds(5))
        #expect(pair.responder.tick(now: pair.now + .milliseconds(4999)).isEmpty)
        #expect(pair.responder.tick(now: pair.now + .seconds(5)) == [.failed(.handshakeTimeout)])
        #expect(pair.initiator.receive([1], now: pair.now + .seconds(5)) == [.failed(.handshakeTimeout)])
        #expect(pair.responder.deadline == nil && pair.responder.tick(now: pair.now + .seconds(9)).isEmpty)
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
