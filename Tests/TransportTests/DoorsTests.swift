import NodeCore
import Testing

@testable import Transport

/// How a responder tells holders of its keys from strangers.
@Suite struct DoorsTests {
    private let now = MonotonicTime.zero

    private func responder(at doors: Doors, seed: UInt64 = 9) -> SessionMachine {
        var random = SeededRandom(seed: seed)
        return SessionMachine(responderAt: doors, random: &random, now: now)
    }

    /// The hint and first message of an initiator with these keys, in answer to a challenge.
    private func opening(_ keys: DoorKeys, to challenge: [UInt8], seed: UInt64 = 5) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        let initiator = SessionMachine(initiatorWith: keys, random: &random, now: now)
        _ = initiator.receive(challenge, now: now)
        return SessionPair.output(of: initiator)
    }

    /// Whether a responder closed at once and said nothing besides the challenge.
    private func isTurnedAway(_ machine: SessionMachine, _ opening: [UInt8], _ failure: SessionFailure) -> Bool {
        let challenge = SessionPair.output(of: machine)
        let events = machine.receive(opening, now: now)
        return challenge.count == 32 && events == [.failed(failure)] && !machine.hasOutput
            && machine.receive([1, 2, 3], now: now).isEmpty
    }

    @Test func aStrangerCausesNoCurveOperation() {
        let pair = SessionPair(keys: SessionPair.keys(99), doors: 50)
        pair.pump(piece: 10)
        #expect(pair.responderEvents == [.failed(.noMatchingKey)])
        #expect(pair.responder.curveOperations == 0)
        #expect(pair.initiatorEvents.isEmpty)
        #expect(!pair.responder.hasOutput)
        #expect(pair.responder.receive([1, 2, 3], now: pair.now).isEmpty)
    }

    /// Anyone who knows a zone's discovery key, as devices that see its beacons do, still needs the session key.
    @Test func aRightHintWithAnotherKeyIsRefused() {
        let doors = SessionPair.doors([1, 2, 3])
        let keys = DoorKeys(discovery: SessionPair.keys(2).discovery, psk: SessionPair.secret(99))
        let machine = responder(at: doors)
        #expect(isTurnedAway(machine, opening(keys, to: doors.challenge), .handshakeRefused))
        #expect(machine.curveOperations == 0)
    }

    @Test func aRightKeyUnderAnotherHintIsRefused() {
        let doors = SessionPair.doors([1, 2, 3])
        let right = opening(SessionPair.keys(2), to: doors.challenge)
        for (other, failure): (UInt8, SessionFailure) in [(3, .handshakeRefused), (99, .noMatchingKey)] {
            let hint = Array(opening(SessionPair.keys(other), to: doors.challenge).prefix(8))
            let machine = responder(at: doors)
            #expect(isTurnedAway(machine, hint + right[8...], failure))
            #expect(machine.curveOperations == 0)
        }
    }

    @Test func aHintIsBoundToItsChallenge() {
        let (first, second) = (SessionPair.doors([1], seed: 1), SessionPair.doors([1], seed: 2))
        let keys = SessionPair.keys(1)
        #expect(keys.hint(first.challenge) != keys.hint(second.challenge))
        #expect(keys.hint(first.challenge) != SessionPair.keys(2).hint(first.challenge))
        let machine = responder(at: second)
        #expect(isTurnedAway(machine, opening(keys, to: first.challenge), .noMatchingKey))
        #expect(machine.curveOperations == 0)
    }

    /// The hint is sent in the clear, so the handshake covers it.
    @Test func aFirstMessageIsBoundToItsChallenge() {
        let (first, second) = (SessionPair.doors([1], seed: 1), SessionPair.doors([1], seed: 2))
        let keys = SessionPair.keys(1)
        let hint = Array(opening(keys, to: second.challenge).prefix(8))
        let machine = responder(at: second)
        #expect(isTurnedAway(machine, hint + opening(keys, to: first.challenge)[8...], .handshakeRefused))
        #expect(machine.curveOperations == 0)
    }

    @Test func noFirstMessageIsTakenTwice() {
        let doors = SessionPair.doors([1])
        let recorded = opening(SessionPair.keys(1), to: doors.challenge)
        let first = responder(at: doors, seed: 1)
        #expect(first.receive(recorded, now: now).count == 1)
        #expect(first.isEstablished)
        let second = responder(at: doors, seed: 2)
        #expect(isTurnedAway(second, recorded, .handshakeRefused))
        #expect(second.curveOperations == 0)
        // Others, and the same peer with a new key, are not affected.
        let third = responder(at: doors, seed: 3)
        #expect(third.receive(opening(SessionPair.keys(1), to: doors.challenge, seed: 6), now: now).count == 1)
        #expect(third.isEstablished)
    }

    /// A message that did not fit must not use up the place of one that does.
    @Test func aBadFirstMessageTakesNobodysPlace() {
        let doors = SessionPair.doors([1])
        let right = opening(SessionPair.keys(1), to: doors.challenge)
        var wrong = right
        wrong[wrong.count - 1] ^= 1
        #expect(isTurnedAway(responder(at: doors), wrong, .handshakeRefused))
        #expect(responder(at: doors).receive(right, now: now).count == 1)
    }

    @Test func theOpeningsOfAChallengeAreBounded() {
        let doors = SessionPair.doors([1])
        for number in 0..<UInt64(Limits.openingsPerChallenge) {
            #expect(doors.take(Bytes32(number, 0, 0, 0)))
        }
        #expect(!doors.take(Bytes32(0, 1, 0, 0)))
        #expect(
            isTurnedAway(responder(at: doors), opening(SessionPair.keys(1), to: doors.challenge), .handshakeRefused))
    }

    @Test func ofTwoPlacesWithOneKeyTheFirstIsMeant() throws {
        let doors = SessionPair.doors([3, 2, 2])
        let events = responder(at: doors).receive(opening(SessionPair.keys(2), to: doors.challenge), now: now)
        guard case .established(let door, _) = try #require(events.first) else {
            Issue.record("no session")
            return
        }
        #expect(door == 1)
    }

    /// All connections of a second get one challenge, so its table of hints is made only once.
    @Test func aChallengeLivesForASecondOrUntilTheKeysChange() {
        var random = SeededRandom(seed: 1)
        var doorkeeper = Doorkeeper()
        var asked = 0
        func doors(revision: UInt64, after time: Duration) -> Doors {
            doorkeeper.doors(revision: revision, random: &random, now: now + time) {
                asked += 1
                return [SessionPair.keys(1)]
            }
        }
        let first = doors(revision: 1, after: .zero)
        #expect(doors(revision: 1, after: .milliseconds(999)) === first)
        #expect(asked == 1)
        let next = doors(revision: 1, after: .seconds(1))
        #expect(next !== first && next.challenge != first.challenge)
        let changed = doors(revision: 2, after: .seconds(1))
        #expect(changed !== next && changed.challenge != next.challenge)
        #expect(asked == 3)
    }
}
