package import NodeCore

/// One side of the handshake Noise_NNpsk0_25519_ChaChaPoly_SHA256 (Noise revision 34, §5.3 and §9). The initiator sends
/// the first of its two messages, the responder the second.
///
/// A call that throws leaves the handshake unusable; the caller drops it.
package struct NoiseHandshake {
    /// Whether this side sends the first message or the second.
    package enum Role: Sendable {
        case initiator
        case responder
    }

    static let protocolName = "Noise_NNpsk0_25519_ChaChaPoly_SHA256"

    /// Curve multiplications so far. Tests use it to show that a stranger causes none.
    private(set) var curveOperations = 0

    private let role: Role
    private let ephemeralSecret: Secret
    private var ephemeralKey: X25519.KeyPair?
    private var remoteEphemeral: Bytes32?
    private var symmetric: SymmetricState
    private var messages = 0

    /// - Parameters:
    ///   - psk: 32 bytes that both sides hold.
    ///   - ephemeral: 32 random bytes, never used twice; they become a key only when our message is written.
    package init(role: Role, prologue: [UInt8], psk: Secret, ephemeral: Secret) {
        self.role = role
        ephemeralSecret = ephemeral
        symmetric = SymmetricState(protocolName: Self.protocolName, prologue: prologue, psk: psk)
    }

    /// Both messages are exchanged: `handshakeHash` and `split()` are final.
    package var isFinished: Bool { messages == 2 }

    /// Whether the next message is the peer's.
    package var isReading: Bool { !isFinished && (messages == 0) == (role == .responder) }

    /// Equal on both sides and unique to this connection: signatures bind themselves to it.
    package var handshakeHash: [UInt8] { symmetric.hash.bytes }

    /// This side's message, with `payload` protected by all keys agreed so far.
    package mutating func writeMessage(payload: [UInt8] = []) throws(NoiseError) -> [UInt8] {
        precondition(!isFinished && !isReading, "invariant: messages alternate")
        curveOperations += 1
        let key = X25519.KeyPair(secret: ephemeralSecret)
        ephemeralKey = key
        mixEphemeral(key.publicKey)
        if role == .responder { try mixAgreement() }
        let message = key.publicKey.bytes + (try symmetric.encryptAndHash(payload))
        messages += 1
        return message
    }

    /// Reads the peer's message and returns its payload.
    package mutating func readMessage(_ message: [UInt8]) throws(NoiseError) -> [UInt8] {
        precondition(isReading, "invariant: messages alternate")
        guard let key = Bytes32(bytes: message.prefix(32)) else { throw .truncated }
        remoteEphemeral = key
        mixEphemeral(key)
        if role == .initiator { try mixAgreement() }
        let payload = try symmetric.decryptAndHash(Array(message.dropFirst(32)))
        messages += 1
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
        symmetric.mixKey(Secret(bytes: key.bytes))
    }

    /// The token `ee`.
    private mutating func mixAgreement() throws(NoiseError) {
        guard let ephemeralKey, let remoteEphemeral else {
            preconditionFailure("invariant: both ephemeral keys come before their agreement")
        }
        curveOperations += 1
        do {
            symmetric.mixKey(try ephemeralKey.agree(with: remoteEphemeral))
        } catch {
            throw .weakKey
        }
    }
}

/// Why a Noise message could not be written or read. The peer is not told.
package enum NoiseError: Error, Equatable, Sendable {
    /// The message ends within a key or a tag.
    case truncated
    /// Authentication failed: another key, another prologue, or altered bytes.
    case notAuthentic
    /// The peer's key yields an all-zero result, which would make the secret public.
    case weakKey
    /// All 2^64 - 1 nonces of a key are used up.
    case nonceExhausted
}
