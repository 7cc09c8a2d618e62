import NodeCore

@testable import Gossip
@testable import Transport

/// What comes from the network.
extension Door {
    static func message(_ bytes: [UInt8]) -> String? {
        guard let message = try? Message(decoding: bytes) else { return nil }
        // Of another version only the versions are read.
        if case .foreignHello = message { return nil }
        return message.encoded == bytes ? nil : "a message has two encodings"
    }

    static func beacon(_ bytes: [UInt8]) -> String? {
        guard let id = try? BeaconCodec.id(of: bytes), (try? BeaconCodec.header(of: bytes, id: id)) != nil else {
            return nil
        }
        let entries = BeaconCodec.entries(of: bytes)
        return BeaconCodec.headerBytes + 16 * entries.count == bytes.count ? nil : "a beacon with a rest"
    }

    static func pairing(_ bytes: [UInt8]) -> String? {
        guard let message = try? PairingMessage(decoding: bytes) else { return nil }
        return message.encoded == bytes ? nil : "a message of two pairing devices has two encodings"
    }

    /// The first byte says when the bytes come: as a challenge, a first message, an answer, the content of a frame, a
    /// message, or frames without the key.
    static func session(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first else { return nil }
        let rest = Array(bytes.dropFirst())
        switch first % 6 {
        case 0: return unexpected(SessionEnds.initiator().receive(rest, now: SessionEnds.now))
        case 1: return unexpected(SessionEnds.responder().receive(rest, now: SessionEnds.now))
        case 2:
            let ends = SessionEnds()
            ends.answer()
            return unexpected(ends.initiator.receive(rest, now: SessionEnds.now))
        case 3:
            var events: [SessionEvent] = []
            rest.withUnsafeBytes { try? FramePlaintext.split($0, into: &events) }
            return nil
        case 4:
            guard !rest.isEmpty, rest.count <= Transport.Limits.messageBytes else { return nil }
            // A handshake takes longer than anything else here, and this session goes on.
            return established.withLock { $0.pass(rest) } == [.message(rest)] ? nil : "a message is another"
        default:
            return unexpected(SessionEnds().established().responder.receive(rest, now: SessionEnds.now))
        }
    }

    private static let established = Lock(SessionEnds().established())

    /// A sender without a key is not heard.
    private static func unexpected(_ events: [SessionEvent]) -> String? {
        events.allSatisfy { if case .failed = $0 { true } else { false } } ? nil : "a stranger was heard"
    }
}

/// The two ends of a session, without a network between them.
private struct SessionEnds: @unchecked Sendable {
    static let now = MonotonicTime(nanoseconds: 1)
    private static let keys = DoorKeys(
        discovery: Secret(bytes: [UInt8](repeating: 1, count: 32)), psk: Secret(bytes: [UInt8](repeating: 2, count: 32))
    )

    let initiator = Self.initiator()
    let responder = Self.responder()

    static func initiator() -> SessionMachine {
        var random = SeededRandom(seed: 1)
        return SessionMachine(initiatorWith: keys, random: &random, now: now)
    }

    static func responder() -> SessionMachine {
        var random = SeededRandom(seed: 2)
        let challenge = random.bytes(Transport.Limits.challengeBytes)
        return SessionMachine(responderAt: Doors(keys: [keys], challenge: challenge), random: &random, now: now)
    }

    /// The initiator hears what the responder has to say.
    @discardableResult
    func answer() -> [SessionEvent] { initiator.receive(Self.output(of: responder), now: Self.now) }

    /// The responder hears a message of the initiator's, or what else that has to say.
    @discardableResult
    func pass(_ message: [UInt8]? = nil) -> [SessionEvent] {
        if let message { initiator.enqueue(message, priority: .control) }
        return responder.receive(Self.output(of: initiator), now: Self.now)
    }

    func established() -> SessionEnds {
        for _ in 0..<2 {
            answer()
            pass()
        }
        precondition(initiator.isEstablished && responder.isEstablished, "invariant: the two ends have the same key")
        return self
    }

    private static func output(of machine: SessionMachine) -> [UInt8] {
        var output = OutputBuffer()
        machine.drain(upTo: .max, into: &output)
        return output.withUnsafeBytes { Array($0) }
    }
}
