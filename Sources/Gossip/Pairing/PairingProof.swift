package import NodeCore

/// Computes the digits of a pairing, like Bluetooth LE's numeric comparison (Core Specification, Vol 3, Part H,
/// 2.3.5.6.2): A gives and B takes.
///
///     commitment = BLAKE2b-256(N_B ‖ h; -; "kachat commit")
///     digits     = u64(BLAKE2b-128(N_A ‖ N_B ‖ h; -; "kachat digits")) mod 1,000,000
///     tag        = the first 2 bytes of BLAKE2b-128(h; -; "kachat pair tag")
///
/// A reveals N_A only after B has committed to N_B, and B reveals N_B only after it has N_A. So an attacker in the
/// middle, with sessions of his own on both sides, must commit to each of his nonces before he learns the digits of
/// either side. The handshake's hash h, which covers both ephemeral keys, binds the digits to this session.
package struct PairingProof: Sendable {
    /// 32 bytes.
    package let handshakeHash: [UInt8]

    package init(handshakeHash: [UInt8]) { self.handshakeHash = handshakeHash }

    package func commitment(_ takersNonce: Bytes32) -> Bytes32 {
        Blake2b.hash32(takersNonce.bytes, handshakeHash, domain: "kachat commit")
    }

    package func digits(giversNonce: Bytes32, takersNonce: Bytes32) -> PairingDigits {
        let hash = Blake2b.hash16(giversNonce.bytes, takersNonce.bytes, handshakeHash, domain: "kachat digits")
        return PairingDigits(number: UInt32(hash.w0 % 1_000_000))
    }

    /// Equal on both displays, so that a user can tell devices of the same name apart. It proves nothing.
    package var tag: String {
        String(Blake2b.hash16(handshakeHash, domain: "kachat pair tag").hex.prefix(4))
    }
}

/// Six decimal digits.
package struct PairingDigits: Equatable, Sendable {
    /// Below 1,000,000.
    package let number: UInt32

    package init(number: UInt32) { self.number = number }

    /// Parses six digits as typed, possibly with blanks between them; nil for anything else.
    package init?(text: String) {
        let digits = text.unicodeScalars.filter { $0 != " " }
        guard digits.count == 6, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        number = digits.reduce(0) { $0 * 10 + ($1.value - 48) }
    }

    /// `042317`
    package var text: String {
        let plain = String(number)
        return String(repeating: "0", count: 6 - plain.count) + plain
    }
}
