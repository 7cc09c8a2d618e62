package import NodeCore

/// One side of a Noise handshake with 25519, ChaChaPoly and SHA256, for any pattern of `NoisePattern` (Noise §5.3).
///
/// A call that throws leaves the handshake unusable; the caller drops it.
package struct NoiseHandshake {
    /// The peer's static key: known in advance from the pattern, or received.
    package private(set) var remoteStatic: Bytes32?
    /// Curve multiplications so far. Tests use it to show that a stranger causes none.
    private(set) var curveOperations = 0

    private let pattern: NoisePattern
    private let role: NoiseRole
    private let staticKey: X25519.KeyPair?
    private let ephemeralSecret: Secret
    private var ephemeralKey: X25519.KeyPair?
    private var remoteEphemeral: Bytes32?
    private var psks: ArraySlice<Secret>
    private var symmetric: SymmetricState
    private var nextMessage = 0

    /// - Parameters:
    ///   - staticKey: our static key, if the pattern has one.
    ///   - remoteStatic: the peer's static key, if the pattern knows it in advance.
    ///   - ephemeral: 32 random bytes, never used twice; they become a key only when our first message is written.
    ///   - psks: 32 bytes each, as many as the pattern has `psk` modifiers.
    package init(
        pattern: NoisePattern, role: NoiseRole, prologue: [UInt8], staticKey: X25519.KeyPair? = nil,
        remoteStatic: Bytes32? = nil, ephemeral: Secret, psks: [Secret] = []
    ) {
        precondition(
            psks.count == pattern.messages.joined().count { $0 == .psk }, "invariant: a PSK for each modifier")
        self.pattern = pattern
        self.role = role
        self.staticKey = staticKey
        self.remoteStatic = remoteStatic
        ephemeralSecret = ephemeral
        self.psks = psks[...]
        symmetric = SymmetricState(protocolName: pattern.protocolName)
        symmetric.mixHash(prologue)
        let ownIsKnown = role == .initiator ? pattern.initiatorIsKnown : pattern.responderIsKnown
        let remoteIsKnown = role == .initiator ? pattern.responderIsKnown : pattern.initiatorIsKnown
        let own = ownIsKnown ? staticKey?.publicKey : nil
        let remote = remoteIsKnown ? remoteStatic : nil
        precondition((own != nil) == ownIsKnown && (remote != nil) == remoteIsKnown, "invariant: known keys are given")
        // The initiator's is hashed before the responder's (§5.3, Initialize).
        for key in role == .initiator ? [own, remote] : [remote, own] {
            if let key { symmetric.mixHash(key.bytes) }
        }
    }

    /// All messages are exchanged: `handshakeHash` and `split()` are final.
    package var isFinished: Bool { nextMessage == pattern.messages.count }

    /// Whether the next message is the peer's.
    package var isReading: Bool { !isFinished && nextMessage.isMultiple(of: 2) == (role == .responder) }

    /// Equal on both sides and unique to this connection: signatures bind themselves to it.
    package var handshakeHash: [UInt8] { symmetric.hash.bytes }

    /// This side's next message, with `payload` protected as far as the pattern has got.
    package mutating func writeMessage(payload: [UInt8] = []) throws(NoiseError) -> [UInt8] {
        precondition(!isFinished && !isReading, "invariant: messages alternate")
        var message: [UInt8] = []
        for token in pattern.messages[nextMessage] {
            switch token {
            case .e:
                curveOperations += 1
                let key = X25519.KeyPair(secret: ephemeralSecret)
                ephemeralKey = key
                message += key.publicKey.bytes
                mixEphemeral(key.publicKey)
            case .s:
                guard let staticKey else { preconditionFailure("invariant: the pattern's static key is given") }
                message += try symmetric.encryptAndHash(staticKey.publicKey.bytes)
            case .psk:
                mixPSK()
            case .ee, .es, .se, .ss:
                try mixAgreement(token)
            }
        }
        message += try symmetric.encryptAndHash(payload)
        nextMessage += 1
        return message
    }

    /// Reads the peer's next message and returns its payload.
    package mutating func readMessage(_ message: [UInt8]) throws(NoiseError) -> [UInt8] {
        precondition(isReading, "invariant: messages alternate")
        var rest = message[...]
        for token in pattern.messages[nextMessage] {
            switch token {
            case .e:
                guard let key = Bytes32(bytes: rest.prefix(32)) else { throw .truncated }
                rest = rest.dropFirst(32)
                remoteEphemeral = key
                mixEphemeral(key)
            case .s:
                let count = symmetric.hasKey ? 32 + Limits.tagBytes : 32
                guard rest.count >= count else { throw .truncated }
                remoteStatic = Bytes32(bytes: try symmetric.decryptAndHash(Array(rest.prefix(count))))
                rest = rest.dropFirst(count)
            case .psk:
                mixPSK()
            case .ee, .es, .se, .ss:
                try mixAgreement(token)
            }
        }
        let payload = try symmetric.decryptAndHash(Array(rest))
        nextMessage += 1
        return payload
    }

    /// The two directions of the session that follows.
    package func split() -> (sending: CipherState, receiving: CipherState) {
        precondition(isFinished, "invariant: the handshake is complete")
        let (first, second) = symmetric.split()
        return role == .initiator ? (first, second) : (second, first)
    }

    private mutating func mixEphemeral(_ key: Bytes32) {
        symmetric.mixHash(key.bytes)
        // §9.2: with a PSK in the pattern, ephemeral keys randomise encryption before there is a curve secret.
        if pattern.usesPSK { symmetric.mixKey(Secret(bytes: key.bytes)) }
    }

    private mutating func mixPSK() {
        guard let psk = psks.popFirst() else { preconditionFailure("invariant: a PSK for each modifier") }
        symmetric.mixKeyAndHash(psk)
    }

    private mutating func mixAgreement(_ token: NoisePattern.Token) throws(NoiseError) {
        let ownIsEphemeral = token == .ee || token == (role == .initiator ? .es : .se)
        let remoteIsEphemeral = token == .ee || token == (role == .initiator ? .se : .es)
        guard let own = ownIsEphemeral ? ephemeralKey : staticKey,
            let remote = remoteIsEphemeral ? remoteEphemeral : remoteStatic
        else { preconditionFailure("invariant: the pattern orders keys before agreements") }
        curveOperations += 1
        do {
            symmetric.mixKey(try own.agree(with: remote))
        } catch {
            throw .weakKey
        }
    }
}
