import NodeCore

@testable import Transport

/// An initiator and a responder joined by two byte streams that are cut at random.
final class SessionPair {
    let initiator: SessionMachine
    let responder: SessionMachine
    var initiatorEvents: [SessionEvent] = []
    var responderEvents: [SessionEvent] = []
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private var random: SeededRandom
    private var toResponder = OutputBuffer()
    private var toInitiator = OutputBuffer()

    static func psk(_ number: UInt8) -> Secret { Secret(bytes: [UInt8](repeating: number, count: 32)) }

    static func key(_ number: UInt8) -> X25519.KeyPair {
        X25519.KeyPair(secret: Secret(bytes: [UInt8](repeating: number, count: 32)))
    }

    /// The responder knows PSKs 1 to `candidates`; their ids are ten times as high.
    init(psk: UInt8 = 2, candidates: UInt8 = 3, seed: UInt64 = 1) {
        random = SeededRandom(seed: seed)
        initiator = SessionMachine(
            initiatorWith: Self.psk(psk), staticKey: Self.key(101), random: &random, now: now)
        responder = SessionMachine(
            responderWith: (0..<candidates).map {
                SessionCandidate(id: 10 * Int($0 + 1), psk: Self.psk($0 + 1), staticKey: Self.key(200 + $0 + 1))
            }, random: &random, now: now)
    }

    /// Moves bytes in both directions, in pieces of 1 to `piece` bytes, until nothing is left to move.
    func pump(piece: Int = .max, drain: Int = .max) {
        while true {
            initiator.drain(upTo: drain, into: &toResponder)
            responder.drain(upTo: drain, into: &toInitiator)
            if toResponder.isEmpty && toInitiator.isEmpty { return }
            responderEvents += deliver(&toResponder, to: responder, piece)
            initiatorEvents += deliver(&toInitiator, to: initiator, piece)
        }
    }

    private func deliver(
        _ buffer: inout OutputBuffer, to machine: SessionMachine, _ piece: Int
    ) -> [SessionEvent] {
        guard !buffer.isEmpty else { return [] }
        let count = Int.random(in: 1...min(piece, buffer.count), using: &random)
        let events = buffer.withUnsafeBytes {
            machine.receive(UnsafeRawBufferPointer(rebasing: $0[..<count]), now: now)
        }
        buffer.consume(count)
        return events
    }

    static func messages(_ events: [SessionEvent]) -> [[UInt8]] {
        events.compactMap { if case .message(let bytes) = $0 { bytes } else { nil } }
    }
}
