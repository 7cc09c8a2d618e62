package import NodeCore

/// The messages of two pairing devices, on a separate session.
///
/// A message is its type in one byte, then its body: a CBOR sequence.
enum PairingMessage: Equatable, Sendable {
    /// - id: of this run of the device's pairing. It proves nothing.
    /// - name: the device's name as chosen by its user, untrusted text. 1 to `Limits.pairingNameBytes` bytes without
    ///   control characters.
    case hello(role: PairingRole, subject: PairingSubject, id: PairingID, name: String)
    /// The receiver was chosen, by the user or because it is the only device.
    case chosen
    /// From the taking side: `PairingProof.commitment`.
    case commitment(Bytes32)
    case nonce(Bytes32)
    /// The user confirmed that both displays show the same digits.
    case consent
    /// From the giving side, for an account: the record that founds it, at most `Limits.pairingSecretBytes`.
    case genesis([UInt8])
    /// From the taking side, for an account: the lane with which it asks to be let in.
    case lane(PairingLane)
    /// At most `Limits.pairingSecretBytes`.
    case secret([UInt8])
    /// The other device has stored the secret. Of an account, its path shows how it came in, at most
    /// `Limits.pairingSecretBytes`; otherwise it is empty.
    case taken(path: [UInt8])
    case refused(PairingRefusal)

    private enum Kind: UInt8 {
        case hello = 40
        case chosen = 41
        case commitment = 42
        case nonce = 43
        case consent = 44
        case secret = 45
        case taken = 46
        case refused = 47
        case genesis = 48
        case lane = 49
    }

    var encoded: [UInt8] {
        var body = CBORWriter()
        let kind: Kind
        switch self {
        case .hello(let role, let subject, let id, let name):
            kind = .hello
            body.write(role.rawValue)
            body.write(subject.rawValue)
            body.write(id)
            body.write(text: name)
        case .chosen: kind = .chosen
        case .commitment(let hash):
            kind = .commitment
            body.write(hash)
        case .nonce(let nonce):
            kind = .nonce
            body.write(nonce)
        case .consent: kind = .consent
        case .genesis(let bytes):
            kind = .genesis
            body.write(bytes: bytes)
        case .lane(let asked):
            kind = .lane
            body.write(asked.lane)
            body.write(asked.sealKey)
        case .secret(let bytes):
            kind = .secret
            body.write(bytes: bytes)
        case .taken(let path):
            kind = .taken
            body.write(bytes: path)
        case .refused(let reason):
            kind = .refused
            body.write(reason.rawValue)
        }
        return [kind.rawValue] + body.bytes
    }

    init(decoding bytes: [UInt8]) throws(PairingFault) {
        guard let kind = bytes.first.flatMap(Kind.init) else { throw .malformed }
        var body = CBORReader(bytes, range: 1..<bytes.count)
        let message: PairingMessage?
        do throws(CBORError) {
            message = try Self.read(kind, &body)
            try body.finish()
        } catch {
            throw .malformed
        }
        guard let message else { throw .malformed }
        self = message
    }

    /// Nil for values that are not defined.
    private static func read(_ kind: Kind, _ body: inout CBORReader) throws(CBORError) -> PairingMessage? {
        switch kind {
        case .hello:
            let (role, subject) = (PairingRole(rawValue: try body.readUInt()), try body.readUInt())
            let id = try body.read(PairingID.self)
            let name = try body.readText(max: Limits.pairingNameBytes)
            guard let role, let subject = PairingSubject(rawValue: subject), isAcceptable(name: name) else {
                return nil
            }
            return .hello(role: role, subject: subject, id: id, name: name)
        case .chosen: return .chosen
        case .commitment: return .commitment(try body.read(Bytes32.self))
        case .nonce: return .nonce(try body.read(Bytes32.self))
        case .consent: return .consent
        case .genesis: return .genesis(try body.readBytes(max: Limits.pairingSecretBytes))
        case .lane:
            return .lane(PairingLane(lane: try body.read(LaneID.self), sealKey: try body.read(Bytes32.self)))
        case .secret: return .secret(try body.readBytes(max: Limits.pairingSecretBytes))
        case .taken: return .taken(path: try body.readBytes(max: Limits.pairingSecretBytes))
        case .refused: return PairingRefusal(rawValue: try body.readUInt()).map { .refused($0) }
        }
    }

    /// Whether a name is one line that cannot move a cursor or reverse text.
    static func isAcceptable(name: String) -> Bool {
        (1...Limits.pairingNameBytes).contains(name.utf8.count) && !name.unicodeScalars.contains(where: \.isControl)
    }
}

/// Random for each run of a pairing, so that a device with several addresses is recognised as one.
package struct PairingID: Identifier16 {
    package let storage: Bytes16

    package init(_ storage: Bytes16) { self.storage = storage }
}

/// The side of one of the two devices.
package enum PairingRole: UInt64, Sendable {
    /// Has the secret to hand over; is dialled, and reveals its nonce first.
    case gives = 1
    /// Dials, and commits to a nonce before it sees the other one.
    case takes = 2

    var other: PairingRole { self == .gives ? .takes : .gives }
}

/// The lane of a device that takes an account, and the key to which roots are sealed for it.
package struct PairingLane: Equatable, Sendable {
    package let lane: LaneID
    package let sealKey: Bytes32

    package init(lane: LaneID, sealKey: Bytes32) {
        (self.lane, self.sealKey) = (lane, sealKey)
    }
}

/// The kind of secret to hand over.
package enum PairingSubject: UInt64, Sendable {
    case account = 1
    case group = 2
}
