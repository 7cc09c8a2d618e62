package import NodeCore

/// How roots travel in the ledger: sealed to lanes and to the identity by a Seal, and each under the next by a Rotate.
///
/// Each is sealed under a key of its own, so that the nonce can be zero.
enum SealedRoot {
    static func seal(_ root: Secret, under key: Secret) -> [UInt8] {
        root.withUnsafeBytes { root in
            ChaChaPoly.seal(Array(root), associatedData: [], nonce: ChaChaPoly.Nonce(counter: 0), key: key)
        }
    }

    /// Nil for anything but a root sealed under that key.
    static func open(_ sealed: [UInt8], under key: Secret) -> Secret? {
        guard sealed.count == Limits.sealedRootBytes,
            let root = try? ChaChaPoly.open(
                sealed, associatedData: [], nonce: ChaChaPoly.Nonce(counter: 0), key: key)
        else { return nil }
        return Secret(bytes: root)
    }
}

extension ZoneRoot {
    /// Another root of the zone, sealed under this one, the first, for this device's own store.
    package func keeping(_ root: ZoneRoot) -> [UInt8] {
        SealedRoot.seal(root.secret, under: HKDF.derive(secret, "root/kept", root.rotate.bytes))
    }

    /// Nil for anything but what `keeping` gave.
    package func kept(_ sealed: [UInt8], as rotate: RecordHash) -> ZoneRoot? {
        SealedRoot.open(sealed, under: HKDF.derive(secret, "root/kept", rotate.bytes)).map {
            ZoneRoot(rotate: rotate, secret: $0)
        }
    }
}

extension Seal {
    /// The recipient of a sealed root.
    package struct Recipient: Hashable, Sendable {
        /// A lane, or the identity.
        package let id: Bytes32
        /// An X25519 key.
        package let key: Bytes32

        package init(id: Bytes32, key: Bytes32) {
            (self.id, self.key) = (id, key)
        }
    }

    /// Seals a root to at most `Limits.sealEntries` recipients; one whose key nobody can hold is left out.
    package init(_ root: ZoneRoot, to recipients: some Sequence<Recipient>, random: inout any RandomSource) {
        let pair = X25519.KeyPair(secret: Secret(random: &random, count: X25519.secretBytes))
        let entries = recipients.compactMap { recipient -> Entry? in
            guard let shared = try? pair.agree(with: recipient.key) else { return nil }
            let key = Self.key(shared, pair.publicKey, root.rotate, recipient.id)
            return Entry(recipient: recipient.id, sealed: SealedRoot.seal(root.secret, under: key))
        }
        self.init(rotate: root.rotate, ephemeral: pair.publicKey, entries: entries)
    }

    /// The root that is sealed to a recipient; nil if there is none, or another's.
    func open(for recipient: Bytes32, with pair: X25519.KeyPair) -> Secret? {
        guard let entry = entries.first(where: { $0.recipient == recipient }),
            let shared = try? pair.agree(with: ephemeral)
        else { return nil }
        return SealedRoot.open(entry.sealed, under: Self.key(shared, ephemeral, rotate, recipient))
    }

    private static func key(
        _ shared: Secret, _ ephemeral: Bytes32, _ rotate: RecordHash, _ recipient: Bytes32
    ) -> Secret {
        HKDF.derive(shared, "root/seal", ephemeral.bytes + rotate.bytes + recipient.bytes)
    }
}

extension Rotate.Tip {
    /// A root, sealed under the next.
    init(_ root: ZoneRoot, under next: Secret) {
        self.init(rotate: root.rotate, sealedRoot: SealedRoot.seal(root.secret, under: Self.key(next, root.rotate)))
    }

    func open(under next: Secret) -> Secret? { SealedRoot.open(sealedRoot, under: Self.key(next, rotate)) }

    private static func key(_ next: Secret, _ rotate: RecordHash) -> Secret {
        HKDF.derive(next, "root/tip", rotate.bytes)
    }
}
