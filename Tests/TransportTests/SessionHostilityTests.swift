import NodeCore
import Testing

@testable import Transport

/// Wrong data from a peer leads to the same quiet end each time, and never to a trap.
@Suite struct SessionHostilityTests {
    private func responder(seed: UInt64) -> SessionMachine {
        var random = SeededRandom(seed: seed)
        return SessionMachine(responderAt: SessionPair.doors([1], seed: seed), random: &random, now: .zero)
    }

    /// A responder and its peer, with an established session.
    private func session() throws -> (responder: SessionMachine, peer: NoiseHandshake) {
        var random = SeededRandom(seed: 11)
        let machine = responder(seed: 12)
        let challenge = SessionPair.output(of: machine)
        let hint = [UInt8](bigEndianBytesOf: SessionPair.keys(1).hint(challenge), count: 8)
        var handshake = NoiseHandshake(
            role: .initiator, prologue: Array("kachat-node".utf8) + challenge + hint, psk: SessionPair.keys(1).psk,
            ephemeral: Secret(random: &random, count: 32))
        #expect(machine.receive(hint + (try handshake.writeMessage()), now: .zero).count == 1)
        _ = try handshake.readMessage(SessionPair.output(of: machine))
        return (machine, handshake)
    }

    @Test func lengthsOfFramesAreJudgedBeforeTheBytesCome() throws {
        // A frame holds at least a tag.
        for (length, fits): (UInt16, Bool) in [(0, false), (15, false), (16, true), (.max, true)] {
            let (machine, _) = try session()
            let events = machine.receive([UInt8(length >> 8), UInt8(length & 0xFF)], now: .zero)
            #expect(events == (fits ? [] : [.failed(.frameLength)]), "\(length)")
        }
    }

    /// Handshake messages have a fixed size: a byte more belongs to what follows, and a byte less is missing.
    @Test func aShortenedFirstMessageIsWaitedFor() {
        let machine = responder(seed: 2)
        #expect(machine.receive([UInt8](repeating: 1, count: 55), now: .zero).isEmpty)
        #expect(machine.receive([1], now: .zero) == [.failed(.noMatchingKey)])
        #expect(machine.curveOperations == 0)
    }

    /// A payload in a message that has none ends the handshake.
    @Test func aFirstMessageHasNoPayload() throws {
        var random = SeededRandom(seed: 4)
        let machine = responder(seed: 12)
        let challenge = SessionPair.output(of: machine)
        let hint = [UInt8](bigEndianBytesOf: SessionPair.keys(1).hint(challenge), count: 8)
        var handshake = NoiseHandshake(
            role: .initiator, prologue: Array("kachat-node".utf8) + challenge + hint, psk: SessionPair.keys(1).psk,
            ephemeral: Secret(random: &random, count: 32))
        let message = try handshake.writeMessage(payload: [0, 2])
        #expect(machine.receive(hint + message, now: .zero) == [.failed(.handshakeRefused)])
        #expect(machine.curveOperations == 0)
    }

    /// An ephemeral key that makes the shared secret public is refused, although it authenticates.
    @Test func aWeakKeyIsRefused() throws {
        let machine = responder(seed: 12)
        let challenge = SessionPair.output(of: machine)
        let keys = SessionPair.keys(1)
        let hint = [UInt8](bigEndianBytesOf: keys.hint(challenge), count: 8)
        // This is the first message as the specification makes it, for the point of order one.
        let point = [UInt8](repeating: 0, count: 32)
        var symmetric = SymmetricState(
            protocolName: NoiseHandshake.protocolName, prologue: Array("kachat-node".utf8) + challenge + hint,
            psk: keys.psk)
        symmetric.mixHash(point)
        symmetric.mixKey(Secret(bytes: point))
        let message = point + (try symmetric.encryptAndHash([]))
        #expect(machine.receive(hint + message, now: .zero) == [.failed(.handshakeRefused)])
        #expect(!machine.isEstablished && !machine.hasOutput)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func randomBytesNeverGetThrough(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let machine = responder(seed: seed)
        let challenge = SessionPair.output(of: machine)
        let hint = [UInt8](bigEndianBytesOf: SessionPair.keys(1).hint(challenge), count: 8)
        var events: [SessionEvent] = []
        for _ in 0..<20 {
            var bytes = random.bytes(Int.random(in: 1...400, using: &random))
            // Half of them begin with the right hint.
            if Bool.random(using: &random) { bytes = hint + bytes }
            events += machine.receive(bytes, now: .zero)
        }
        #expect(events.count <= 1)
        #expect(machine.curveOperations == 0 && !machine.isEstablished)
    }

    /// Flips one bit of the stream from one side at every position of the handshake and the first frame.
    @Test(arguments: [true, false])
    func anyChangedBitEndsTheSession(ofInitiator: Bool) {
        // This is a hint and 48 bytes, or a challenge and 48. Both then send a frame of 2 + 16 + 4.
        let bytes = ofInitiator ? 8 + 48 + 22 : 32 + 48 + 22
        for position in 0..<bytes {
            var random = SeededRandom(seed: 7)
            let now = MonotonicTime.zero
            let initiator = SessionMachine(
                initiatorWith: SessionPair.keys(1), random: &random, now: now)
            let responder = responder(seed: 8)
            initiator.enqueue([1, 2, 3], priority: .control)
            responder.enqueue([4, 5, 6], priority: .control)
            var sent = 0
            var events: [SessionEvent] = []
            for _ in 0..<4 {
                for (from, target) in [(responder, initiator), (initiator, responder)] {
                    var output = OutputBuffer()
                    from.drain(upTo: 1 << 20, into: &output)
                    var copy = output.withUnsafeBytes { Array($0) }
                    if (from === initiator) == ofInitiator {
                        if position >= sent, position < sent + copy.count { copy[position - sent] ^= 0x10 }
                        sent += copy.count
                    }
                    events += target.receive(copy, now: now)
                }
            }
            #expect(sent > position)
            // A changed length may leave the receiver waiting; then its deadline or the tag of the next frame ends it.
            let whole = SessionPair.messages(events)
            #expect(whole.count < 2 || initiator.failure != nil || responder.failure != nil, "byte \(position)")
            #expect(!whole.contains { $0 != [1, 2, 3] && $0 != [4, 5, 6] })
        }
    }

    @Test func framesThatAreNoRowOfMessagesAreRefused() throws {
        let cases: [(plaintext: [UInt8], what: String)] = [
            ([0], "an empty message"),
            ([5, 1, 2], "a message beyond the frame"),
            ([0x80], "a length that ends early"),
            ([0x81, 0x00, 1], "a length in a longer form"),
            ([0xFF, 0xFF, 0xFF, 0x01], "a length of four groups"),
            ([1, 1, 2], "a second message cut off"),
        ]
        for (plaintext, what) in cases {
            let (machine, frame) = try sealed(plaintext)
            let events = machine.receive(frame, now: .zero)
            #expect(events.last == .failed(.malformedFrame), "\(what)")
            #expect(machine.failure == .malformedFrame)
        }
        let (machine, frame) = try sealed([UInt8](repeating: 0, count: 0))
        #expect(machine.receive(frame, now: .zero).isEmpty, "an empty frame says nothing")
        #expect(machine.failure == nil)
    }

    @Test func aMessageOverTheLimitIsRefused() throws {
        let limit = Limits.messageBytes
        for (size, fits) in [(limit, true), (limit + 1, false)] {
            var plaintext: [UInt8] = [
                UInt8(size & 0x7F) | 0x80, UInt8(size >> 7 & 0x7F) | 0x80, UInt8(size >> 14),
            ]
            plaintext += [UInt8](repeating: 1, count: size)
            let (machine, frame) = try sealed(plaintext)
            #expect((machine.receive(frame, now: .zero) == [.failed(.malformedFrame)]) == !fits)
        }
    }

    /// A responder in a session, and a frame with any plaintext that its peer could have sent.
    private func sealed(_ plaintext: [UInt8]) throws -> (SessionMachine, [UInt8]) {
        let (machine, handshake) = try session()
        var cipher = handshake.split().sending
        var frame = [UInt8](repeating: 0, count: plaintext.count + 16)
        try plaintext.withUnsafeBytes { plaintext in
            try frame.withUnsafeMutableBytes {
                try cipher.seal(plaintext, associatedData: .init(start: nil, count: 0), into: $0)
            }
        }
        return (machine, framed(frame))
    }

    private func framed(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
}
