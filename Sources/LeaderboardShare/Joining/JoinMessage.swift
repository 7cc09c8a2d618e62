import Ledger
package import NodeCore

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
            writer.write(knock.signature)
            writer.write(all: knock.enters)
        case .welcome(let welcome):
            writer.bytes.append(Kind.welcome.rawValue)
            writer.write(
                welcome.lane, welcome.signature, welcome.genesis, welcome.firstRoot.withUnsafeBytes(Array.init))
            writer.write(all: welcome.shown)
        case .refused(let refusal):
            writer.bytes.append(Kind.refused.rawValue)
            writer.write(refusal.reason.rawValue, refusal.lane, refusal.signature, refusal.genesis)
            writer.write(all: refusal.shown)
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

extension CBORReader {
    mutating func readRecords(max: Int) throws -> [[UInt8]] {
        let count = try readArray(max: max)
        return try (0..<count).map { _ in try readBytes(max: Ledger.Limits.recordBytes) }
    }
}

/// The reasons that a member refuses a joiner. The numbers are part of the protocol: from 16 on, another member may
/// let it in, or the same one later.
package enum JoinRefusal: UInt64, Error, Sendable, CaseIterable {
    case expired = 1
    case revoked = 2
    /// All tickets that were shown are used.
    case usedUp = 3
    /// The group was closed.
    case closed = 4
    case full = 5
    /// The invitation never belonged to the group, or has other tickets.
    case notValid = 6
    /// This member may not let anybody in, or does not know enough of the group yet.
    case notReady = 17
}

extension JoinRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .expired: "this invitation has expired: ask for a new one"
        case .revoked: "this invitation was revoked: ask for a new one"
        case .usedUp: "this invitation is used up: ask for a new one"
        case .closed: "the group was closed: nobody can join it any more"
        case .full: "the group is full: somebody has to leave it first"
        case .notValid: "this invitation is not one of the group's: ask for a new one"
        case .notReady: "waits for a member who may let you in"
        }
    }
}

/// The data with which a new member starts. It travels only on an authenticated session.
package struct GroupWelcome: Sendable {
    package let keys: GroupKeys
    /// The tag of the lane that entered.
    package let tag: Bytes16
    /// The Enter that was taken, and what shows that it counts, until the group's records are here: encoded.
    let shown: [[UInt8]]
    /// The address on which the member who answered accepts sessions.
    package let address: SocketAddress

    package var group: ZoneID { keys.zone }
}
