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

    static func secret(_ number: UInt8) -> Secret { Secret(bytes: [UInt8](repeating: number, count: 32)) }

    static func keys(_ number: UInt8) -> DoorKeys {
        DoorKeys(discovery: secret(100 + number), psk: secret(number))
    }

    /// The doors for these keys, under a challenge that depends on `seed`.
    static func doors(_ numbers: [UInt8], seed: UInt64 = 1) -> Doors {
        var random = SeededRandom(seed: seed)
        return Doors(keys: numbers.map { keys($0) }, challenge: random.bytes(Limits.challengeBytes))
    }

    /// The responder holds the keys 1 to `doors`.
    init(keys: DoorKeys = keys(2), doors: UInt8 = 3, seed: UInt64 = 1) {
        random = SeededRandom(seed: seed)
        initiator = SessionMachine(initiatorWith: keys, random: &random, now: now)
        responder = SessionMachine(
            responderAt: Self.doors((0..<doors).map { $0 + 1 }, seed: seed), random: &random, now: now)
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

    /// The bytes that a machine has to send now.
    static func output(of machine: SessionMachine) -> [UInt8] {
        var output = OutputBuffer()
        machine.drain(upTo: .max, into: &output)
        return output.withUnsafeBytes { [UInt8]($0) }
    }

    static func messages(_ events: [SessionEvent]) -> [[UInt8]] {
        events.compactMap { if case .message(let bytes) = $0 { bytes } else { nil } }
    }
}
