import NodeCore
import Testing

@testable import Transport

/// What a peer may send that is wrong: always the same quiet end, never a trap.
@Suite struct SessionHostilityTests {
    /// A handshake recorded from two honest sides: what each sends, message by message.
    private func responder(seed: UInt64) -> SessionMachine {
        var random = SeededRandom(seed: seed)
        return SessionMachine(
            responderWith: [SessionCandidate(id: 1, psk: SessionPair.psk(1), staticKey: SessionPair.key(2))],
            random: &random, now: .zero)
    }

    @Test func lengthsAreJudgedBeforeTheBytesCome() {
        #expect(responder(seed: 1).receive([0x01, 0x01], now: .zero) == [.failed(.frameLength)])
        #expect(responder(seed: 1).receive([0xFF, 0xFF], now: .zero) == [.failed(.frameLength)])
        #expect(responder(seed: 1).receive([0x00, 0x00], now: .zero) == [.failed(.frameLength)])
        #expect(responder(seed: 1).receive([0x01, 0x00], now: .zero).isEmpty)
    }

    @Test(arguments: 0..<3)
    func shortenedHandshakeMessagesAreRefused(cut: Int) throws {
        // A first message has 48 bytes: an ephemeral key and a tag.
        let length = [16, 32, 47][cut]
        let machine = responder(seed: 2)
        let events = machine.receive([0, UInt8(length)] + [UInt8](repeating: 1, count: length), now: .zero)
        #expect(events == [.failed(.noMatchingKey)])
        #expect(machine.curveOperations == 0)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func randomBytesNeverGetThrough(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let machine = responder(seed: seed)
        var events: [SessionEvent] = []
        for _ in 0..<20 {
            var bytes = random.bytes(Int.random(in: 1...400, using: &random))
            // Half of them begin with a length that is allowed.
            if Bool.random(using: &random) { bytes = [0, UInt8.random(in: 16...255, using: &random)] + bytes }
            events += machine.receive(bytes, now: .zero)
        }
        #expect(events.count <= 1)
        #expect(machine.curveOperations == 0 && !machine.isEstablished)
    }

    /// Flips one bit of the stream from one side at every position of the handshake and the first frame.
    @Test(arguments: [true, false])
    func anyChangedBitEndsTheSession(ofInitiator: Bool) {
        // Challenge, then 2 + 96; the initiator's are 2 + 48, 2 + 64. Both then send a frame of 2 + 16 + 4.
        let bytes = ofInitiator ? 50 + 66 + 22 : 32 + 98 + 22
        for position in 0..<bytes {
            var random = SeededRandom(seed: 7)
            let now = MonotonicTime.zero
            let initiator = SessionMachine(
                initiatorWith: SessionPair.psk(1), staticKey: SessionPair.key(3), random: &random, now: now)
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
        var random = SeededRandom(seed: 11)
        let machine = responder(seed: 12)
        var output = OutputBuffer()
        machine.drain(upTo: 1, into: &output)
        let challenge = output.withUnsafeBytes { Array($0) }
        output.consume(output.count)
        var handshake = NoiseHandshake(
            pattern: .xxPSK0, role: .initiator, prologue: Array("kachat-node/1".utf8) + challenge,
            staticKey: SessionPair.key(3), ephemeral: Secret(random: &random, count: 32), psks: [SessionPair.psk(1)])
        #expect(machine.receive(try framed(handshake.writeMessage()), now: .zero).isEmpty)
        machine.drain(upTo: 1, into: &output)
        let answer = output.withUnsafeBytes { Array($0.dropFirst(2)) }
        _ = try handshake.readMessage(answer)
        #expect(machine.receive(try framed(handshake.writeMessage()), now: .zero).count == 1)
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
