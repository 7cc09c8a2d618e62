import NodeCore
import Testing

@testable import Transport

/// Two versions of the protocol have no session, and both ends learn which one is to be updated.
@Suite struct SessionVersionTests {
    private let now = MonotonicTime.zero

    /// Lets a pair shake hands, and gives what each was told.
    private func meet(
        psk: UInt8 = 1, initiator: UInt16, responder: UInt16, isCurrent: Bool = true
    ) -> (initiator: [SessionEvent], responder: [SessionEvent], curveOperations: Int) {
        var random = SeededRandom(seed: 4)
        let opener = SessionMachine(
            initiatorWith: SessionPair.psk(psk), staticKey: SessionPair.key(3), version: initiator, random: &random,
            now: now)
        let candidate = SessionCandidate(
            id: 7, psk: SessionPair.psk(1), staticKey: SessionPair.key(2), isCurrent: isCurrent)
        let taker = SessionMachine(responderWith: [candidate], version: responder, random: &random, now: now)
        var events: (initiator: [SessionEvent], responder: [SessionEvent]) = ([], [])
        for _ in 0..<4 {
            events.initiator += pass(from: taker, to: opener)
            events.responder += pass(from: opener, to: taker)
        }
        return (events.initiator, events.responder, taker.curveOperations)
    }

    private func pass(from one: SessionMachine, to other: SessionMachine) -> [SessionEvent] {
        var bytes = OutputBuffer()
        one.drain(upTo: .max, into: &bytes)
        return bytes.withUnsafeBytes { other.receive($0, now: now) }
    }

    @Test(arguments: [(1, 2), (2, 1), (1, 5)] as [(UInt16, UInt16)])
    func bothEndsLearnTheOthersVersion(initiator: UInt16, responder: UInt16) {
        let outcome = meet(initiator: initiator, responder: responder)
        #expect(outcome.initiator == [.failed(.otherVersion(responder))])
        #expect(outcome.responder == [.otherVersion(candidate: 7, version: initiator)])
    }

    @Test func aStrangerLearnsNothingAndCostsNoCurve() {
        let outcome = meet(psk: 9, initiator: 2, responder: 1)
        #expect(outcome.initiator.isEmpty)
        #expect(outcome.responder == [.failed(.noMatchingKey)])
        #expect(outcome.curveOperations == 0)
    }

    @Test func versionsFarAheadAndKeysOfRotationsAreNotTried() {
        #expect(meet(initiator: 6, responder: 1).responder == [.failed(.noMatchingKey)])
        #expect(meet(initiator: 2, responder: 1, isCurrent: false).responder == [.failed(.noMatchingKey)])
    }

    /// A payload where there is none in this version ends the handshake, whatever it says.
    @Test func onlyTheSecondMessageCanSayAVersion() {
        var random = SeededRandom(seed: 4)
        let candidate = SessionCandidate(id: 7, psk: SessionPair.psk(1), staticKey: SessionPair.key(2))
        let taker = SessionMachine(responderWith: [candidate], random: &random, now: now)
        var challenge = OutputBuffer()
        taker.drain(upTo: .max, into: &challenge)
        let bytes = challenge.withUnsafeBytes { Array($0) }
        var handshake = NoiseHandshake(
            pattern: .xxPSK0, role: .initiator, prologue: Array("kachat-node/1".utf8) + bytes,
            staticKey: SessionPair.key(3), ephemeral: Secret(random: &random, count: 32), psks: [SessionPair.psk(1)])
        guard let message = try? handshake.writeMessage(payload: [0, 2]) else {
            Issue.record("no first message")
            return
        }
        let framed = [0, UInt8(message.count)] + message
        #expect(taker.receive(framed, now: now) == [.failed(.noMatchingKey)])
    }
}
