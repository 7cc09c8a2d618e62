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

    /// The first byte says when the bytes come: as a challenge, a first message, an answer, the content of a frame,
    /// frames without the key, or as a message.
    static func session(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first else { return nil }
        let rest = Array(bytes.dropFirst())
        if first % 6 == 3 {
            var events: [SessionEvent] = []
            rest.withUnsafeBytes { try? FramePlaintext.split($0, into: &events) }
            return nil
        }
        var random = SeededRandom(seed: 1)
        let now = MonotonicTime(nanoseconds: 1)
        let keys = DoorKeys(
            discovery: Secret(bytes: random.bytes(32)), psk: Secret(bytes: random.bytes(32)))
        let doors = Doors(keys: [keys], challenge: random.bytes(Transport.Limits.challengeBytes))
        let initiator = SessionMachine(initiatorWith: keys, random: &random, now: now)
        let responder = SessionMachine(responderAt: doors, random: &random, now: now)
        switch first % 6 {
        case 0: return unexpected(initiator.receive(rest, now: now))
        case 1: return unexpected(responder.receive(rest, now: now))
        case 2:
            _ = initiator.receive(output(of: responder), now: now)
            return unexpected(initiator.receive(rest, now: now))
        default: break
        }
        for _ in 0..<2 {
            _ = initiator.receive(output(of: responder), now: now)
            _ = responder.receive(output(of: initiator), now: now)
        }
        guard initiator.isEstablished, responder.isEstablished else { return "no session" }
        guard first % 6 == 4 else {
            guard !rest.isEmpty, rest.count <= Transport.Limits.messageBytes else { return nil }
            initiator.enqueue(rest, priority: .control)
            return responder.receive(output(of: initiator), now: now) == [.message(rest)] ? nil : "a message is another"
        }
        return unexpected(responder.receive(rest, now: now))
    }

    /// A sender without a key is not heard.
    private static func unexpected(_ events: [SessionEvent]) -> String? {
        events.allSatisfy { if case .failed = $0 { true } else { false } } ? nil : "a stranger was heard"
    }

    private static func output(of machine: SessionMachine) -> [UInt8] {
        var output = OutputBuffer()
        machine.drain(upTo: .max, into: &output)
        return output.withUnsafeBytes { Array($0) }
    }
}
