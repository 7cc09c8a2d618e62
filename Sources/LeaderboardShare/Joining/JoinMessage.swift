import Ledger
import NodeCore

/// The messages of joiner and member at a rendezvous (docs/PROTOCOL-JOINING.md, §13.5): the joiner knocks, and gets
/// one answer.
package enum JoinMessage {
    case knock(Knock)
    case welcome(Welcome)
    case refused(Refusal)

    enum Kind: UInt8 {
        case knock = 32
        case welcome = 33
        case refused = 34
    }

    package struct Knock {
        /// The Enters of the joiner's first lane, one for each ticket that it shows, encoded.
        let enters: [[UInt8]]
        /// The lane's signature of `knockMessage`.
        let signature: [UInt8]
    }

    package struct Welcome {
        /// The lane of the device that answers.
        let lane: LaneID
        /// Its signature of `answerMessage`.
        let signature: [UInt8]
        /// Genesis.
        let genesis: [UInt8]
        let firstRoot: Secret
        /// The Enter that was taken, and the records that show that joiner and answerer belong to the group.
        let shown: [[UInt8]]
    }

    package struct Refusal {
        let reason: JoinRefusal
        let lane: LaneID
        let signature: [UInt8]
        let genesis: [UInt8]
        /// Records that show that the answerer belongs to the group, and what supports the reason.
        let shown: [[UInt8]]
    }

    // MARK: Signed messages

    static func knockMessage(_ handshakeHash: [UInt8]) -> [UInt8] { Array("kachat/join/knock".utf8) + handshakeHash }

    static func answerMessage(_ handshakeHash: [UInt8], _ kind: Kind, reason: UInt64 = 0) -> [UInt8] {
        Array("kachat/join/answer".utf8) + handshakeHash + [kind.rawValue, UInt8(truncatingIfNeeded: reason)]
    }

    // MARK: Bytes

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 2_048)
        switch self {
        case .knock(let knock):
            writer.bytes.append(Kind.knock.rawValue)
            writer.write(bytes: knock.signature)
            writer.write(records: knock.enters)
        case .welcome(let welcome):
            writer.bytes.append(Kind.welcome.rawValue)
            writer.write(welcome.lane)
            writer.write(bytes: welcome.signature)
            writer.write(bytes: welcome.genesis)
            welcome.firstRoot.withUnsafeBytes { writer.write(bytes: Array($0)) }
            writer.write(records: welcome.shown)
        case .refused(let refusal):
            writer.bytes.append(Kind.refused.rawValue)
            writer.write(refusal.reason.rawValue)
            writer.write(refusal.lane)
            writer.write(bytes: refusal.signature)
            writer.write(bytes: refusal.genesis)
            writer.write(records: refusal.shown)
        }
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws {
        guard let first = encoded.first, let kind = Kind(rawValue: first) else { throw TokenError.notValid }
        var reader = CBORReader(encoded, range: 1..<encoded.count)
        switch kind {
        case .knock:
            let signature = try reader.readBytes(max: Ed25519.signatureBytes)
            self = .knock(Knock(enters: try reader.readRecords(max: Limits.shownTickets), signature: signature))
        case .welcome:
            let lane = try reader.read(LaneID.self)
            let signature = try reader.readBytes(max: Ed25519.signatureBytes)
            let genesis = try reader.readBytes(max: Ledger.Limits.recordBytes)
            let root = try reader.readBytes(max: Ledger.Limits.rootBytes)
            guard root.count == Ledger.Limits.rootBytes else { throw TokenError.notValid }
            self = .welcome(
                Welcome(
                    lane: lane, signature: signature, genesis: genesis, firstRoot: Secret(bytes: root),
                    shown: try reader.readRecords(max: Limits.shownRecords)))
        case .refused:
            guard let reason = JoinRefusal(rawValue: try reader.readUInt()) else { throw TokenError.notValid }
            self = .refused(
                Refusal(
                    reason: reason, lane: try reader.read(LaneID.self),
                    signature: try reader.readBytes(max: Ed25519.signatureBytes),
                    genesis: try reader.readBytes(max: Ledger.Limits.recordBytes),
                    shown: try reader.readRecords(max: Limits.shownRecords)))
        }
        try reader.finish()
    }
}

extension CBORWriter {
    fileprivate mutating func write(records: [[UInt8]]) {
        writeArray(records.count)
        for record in records { write(bytes: record) }
    }
}

extension CBORReader {
    fileprivate mutating func readRecords(max: Int) throws -> [[UInt8]] {
        let count = try readArray(max: max)
        return try (0..<count).map { _ in try readBytes(max: Ledger.Limits.recordBytes) }
    }
}
