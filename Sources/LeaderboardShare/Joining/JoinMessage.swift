import NodeCore

/// The messages of joiner and member at a rendezvous (docs/PROTOCOL.md, §13.9): the joiner knocks, and gets one answer.
enum JoinMessage {
    case knock(Knock)
    case welcome(Welcome)
    case refused(Refusal)

    enum Kind: UInt8 {
        case knock = 32
        case welcome = 33
        case refused = 34
    }

    struct Knock {
        /// The issuer of the token.
        let issuer: MemberID
        let admission: Admission
        /// The joiner's signature of `knockMessage`.
        let signature: [UInt8]
    }

    struct Welcome {
        let member: MemberID
        /// The member's signature of `answerMessage`.
        let signature: [UInt8]
        /// Starting with the first epoch and ending with the current one.
        let epochs: [GroupEpoch]
        /// Records showing that joiner and member are in the group.
        let vouchers: [ControlRecord]
    }

    struct Refusal {
        let reason: JoinRefusal
        let member: MemberID
        let signature: [UInt8]
        /// Records showing that the member is in the group.
        let vouchers: [ControlRecord]
    }

    // MARK: Signed messages

    static func knockMessage(_ handshakeHash: [UInt8]) -> [UInt8] { Array("kachat/join/knock".utf8) + handshakeHash }

    static func answerMessage(_ handshakeHash: [UInt8], _ kind: Kind, reason: UInt64 = 0) -> [UInt8] {
        Array("kachat/join/answer".utf8) + handshakeHash + [kind.rawValue, UInt8(truncatingIfNeeded: reason)]
    }

    // MARK: Bytes

    var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 2_048)
        switch self {
        case .knock(let knock):
            writer.bytes.append(Kind.knock.rawValue)
            writer.write(knock.issuer)
            knock.admission.write(to: &writer)
            writer.write(bytes: knock.signature)
        case .welcome(let welcome):
            writer.bytes.append(Kind.welcome.rawValue)
            writer.write(welcome.member)
            writer.write(bytes: welcome.signature)
            writer.writeArray(welcome.epochs.count)
            for epoch in welcome.epochs {
                writer.writeArray(2)
                writer.write(epoch.record)
                epoch.root.withUnsafeBytes { writer.write(bytes: Array($0)) }
            }
            Voucher.write(welcome.vouchers, to: &writer)
        case .refused(let refusal):
            writer.bytes.append(Kind.refused.rawValue)
            writer.write(refusal.reason.rawValue)
            writer.write(refusal.member)
            writer.write(bytes: refusal.signature)
            Voucher.write(refusal.vouchers, to: &writer)
        }
        return writer.bytes
    }

    init(encoded: [UInt8]) throws {
        guard let first = encoded.first, let kind = Kind(rawValue: first) else { throw ControlError.malformed }
        var reader = CBORReader(encoded, range: 1..<encoded.count)
        switch kind {
        case .knock:
            self = .knock(
                Knock(
                    issuer: try reader.read(MemberID.self), admission: try Admission(from: &reader),
                    signature: try reader.readBytes(max: Ed25519.signatureBytes)))
        case .welcome:
            let member = try reader.read(MemberID.self)
            let signature = try reader.readBytes(max: Ed25519.signatureBytes)
            var epochs: [GroupEpoch] = []
            for _ in 0..<(try reader.readArray(max: Limits.welcomeRoots)) {
                guard try reader.readArray(max: 2) == 2 else { throw ControlError.malformed }
                let record = try reader.read(RecordHash.self)
                let root = try reader.readBytes(max: Genesis.rootBytes)
                guard root.count == Genesis.rootBytes else { throw ControlError.malformed }
                epochs.append(GroupEpoch(record: record, root: Secret(bytes: root)))
            }
            guard !epochs.isEmpty else { throw ControlError.malformed }
            self = .welcome(
                Welcome(
                    member: member, signature: signature, epochs: epochs,
                    vouchers: try Voucher.read(&reader)))
        case .refused:
            guard let reason = JoinRefusal(rawValue: try reader.readUInt()) else { throw ControlError.malformed }
            self = .refused(
                Refusal(
                    reason: reason, member: try reader.read(MemberID.self),
                    signature: try reader.readBytes(max: Ed25519.signatureBytes),
                    vouchers: try Voucher.read(&reader)))
        }
        try reader.finish()
    }
}
