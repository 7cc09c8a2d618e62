package import NodeCore

/// One zone (and key version) under which a responder takes a session.
package struct SessionCandidate: Sendable {
    /// Whatever the owner recognises it by.
    package let id: Int
    /// 32 bytes that the zone's holders share.
    package let psk: Secret
    /// This device's key in that zone.
    package let staticKey: X25519.KeyPair
    /// Whether a peer of another version of the protocol is recognised by it.
    package let isCurrent: Bool

    package init(id: Int, psk: Secret, staticKey: X25519.KeyPair, isCurrent: Bool = true) {
        self.isCurrent = isCurrent
        self.id = id
        self.psk = psk
        self.staticKey = staticKey
    }
}
