package import NodeCore

/// A zone (and key version) under which a responder accepts a session.
package struct SessionCandidate: Sendable {
    /// Chosen by the owner to recognise the candidate.
    package let id: Int
    /// 32 bytes shared by the zone's members.
    package let psk: Secret
    /// This device's key in that zone.
    package let staticKey: X25519.KeyPair
    /// Whether a peer with another protocol version is recognised by this candidate.
    package let isCurrent: Bool

    package init(id: Int, psk: Secret, staticKey: X25519.KeyPair, isCurrent: Bool = true) {
        self.isCurrent = isCurrent
        self.id = id
        self.psk = psk
        self.staticKey = staticKey
    }
}
