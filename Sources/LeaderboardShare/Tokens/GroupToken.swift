package import NodeCore

/// A capability to join a group: the form in which an invitation is passed on.
///
/// It contains the group's id, which commits to the first owner's key and the genesis; the issuer; the start of the
/// title; and how to meet: a rendezvous secret and possibly addresses. It carries a chain of delegations, each signed
/// by the key of the one before, the first by the issuer; rights can only shrink along it. The last public key is
/// omitted, since it follows from the secret. A token carries no key to any content.
package struct GroupToken: Sendable {
    package static let formatVersion: UInt8 = 1
    package static let rendezvousBytes = 16

    package let group: ZoneID
    /// The member who invited; the invitation's record in the control log has the first link.
    package let issuer: MemberID
    /// The beginning of the group's title, at most 24 bytes; the joiner learns the full title later.
    package let title: String
    /// 16 bytes from which the joiner's pre-shared key and tags are derived; all members recognise them.
    package let rendezvous: [UInt8]
    /// From the invitation's link to the last.
    package let chain: [Delegation]
    /// The signature of each link: the first by the issuer, the others by the link before.
    package let signatures: [[UInt8]]
    package let secret: TokenSecret
    /// Addresses where a member may be reached if no beacon is heard.
    package let hints: [SocketAddress]

    init(
        group: ZoneID, issuer: MemberID, title: String, rendezvous: [UInt8], chain: [Delegation],
        signatures: [[UInt8]], secret: TokenSecret, hints: [SocketAddress]
    ) {
        self.group = group
        self.issuer = issuer
        self.title = title
        self.rendezvous = rendezvous
        self.chain = chain
        self.signatures = signatures
        self.secret = secret
        self.hints = hints
    }

    /// Creates a token for an invitation. The invitation's record contains the same `link`, whose key belongs to the
    /// secret.
    /// - Parameter sign: returns the issuer's signature of its argument.
    package init(
        group: ZoneID, issuer: MemberID, title: String, rendezvous: [UInt8], link: Delegation, secret: TokenSecret,
        hints: [SocketAddress] = [], sign: ([UInt8]) -> [UInt8]
    ) throws(TokenError) {
        guard link.key == secret.key.publicKey, rendezvous.count == Self.rendezvousBytes else { throw .notValid }
        guard hints.reduce(0, { $0 + $1.hintBytes.count + 1 }) <= Limits.tokenHintBytes else { throw .tooLong }
        guard Self.fits(link) else { throw .tooLong }
        let cut = Self.cut(title)
        let message = Self.issuerMessage(group, issuer, cut, rendezvous, link)
        self.init(
            group: group, issuer: issuer, title: cut, rendezvous: rendezvous, chain: [link],
            signatures: [sign(message)], secret: secret, hints: hints)
    }

    /// The rights it grants, with their expiry.
    package var rights: Delegation {
        // invariant: no initialiser makes an empty chain.
        chain[chain.count - 1]
    }

    /// Derives a token with fewer rights, without anybody's help.
    package func narrowed(
        role: Role? = nil, expiresSeconds: UInt64? = nil, uses: UInt32? = nil, random: inout some RandomSource
    ) throws(TokenError) -> GroupToken {
        guard chain.count < Limits.chainLinks else { throw .chainTooLong }
        let secret = TokenSecret(random: &random)
        let link = Delegation(
            role: role ?? rights.role, expiresSeconds: expiresSeconds ?? rights.expiresSeconds,
            uses: uses ?? rights.uses, key: secret.key.publicKey)
        guard link.narrows(rights) else { throw .widens }
        guard Self.fits(link) else { throw .tooLong }
        let signature = self.secret.key.sign(link.signedMessage(group: group, after: rights.key))
        return GroupToken(
            group: group, issuer: issuer, title: title, rendezvous: rendezvous, chain: chain + [link],
            signatures: signatures + [signature], secret: secret, hints: hints)
    }

    private static func fits(_ link: Delegation) -> Bool {
        (link.uses <= Limits.tokenUses || link.uses == Delegation.unlimited)
            && (link.expiresSeconds <= Limits.tokenExpirySeconds || link.expiresSeconds == Delegation.never)
    }

    /// The proof that admits `joiner`; a member puts it into an admission.
    package func admission(of joiner: MemberID) -> Admission {
        let proof = secret.key.sign(Delegation.joinMessage(group: group, joiner: joiner))
        return Admission(
            subject: joiner, chain: chain, linkSignatures: Array(signatures.dropFirst()), proof: proof)
    }

    /// Throws if the token is unusable by the joiner's own clock; the admitter's clock decides.
    package func checkUsable(now: WallTime) throws(TokenError) {
        guard rights.uses > 0 else { throw .usedUp }
        let seconds = UInt64(max(0, now.milliseconds / 1_000))
        guard seconds < rights.expiresSeconds else { throw .expired(atSeconds: rights.expiresSeconds) }
    }

    /// Checks the signatures, that rights shrink, and the key of the secret.
    func verify() throws(TokenError) {
        guard let first = chain.first, let last = chain.last, chain.count == signatures.count,
            last.key == secret.key.publicKey, first.role < .owner
        else { throw .notValid }
        let message = Self.issuerMessage(group, issuer, title, rendezvous, first)
        guard Ed25519.verify(signature: signatures[0], message: message, publicKey: issuer.storage) else {
            throw .notValid
        }
        for index in chain.indices.dropFirst() {
            let previous = chain[index - 1]
            let message = chain[index].signedMessage(group: group, after: previous.key)
            guard chain[index].narrows(previous),
                Ed25519.verify(signature: signatures[index], message: message, publicKey: previous.key)
            else { throw .notValid }
        }
    }

    /// The message that the issuer signs: the first link, and the token's data about the group.
    private static func issuerMessage(
        _ group: ZoneID, _ issuer: MemberID, _ title: String, _ rendezvous: [UInt8], _ link: Delegation
    ) -> [UInt8] {
        var writer = CBORWriter(capacity: 200)
        writer.writeArray(5)
        writer.write(group)
        writer.write(issuer)
        writer.write(text: title)
        writer.write(bytes: rendezvous)
        link.write(to: &writer)
        return Blake2b.hash32(writer.bytes, domain: "kachat token").bytes
    }

    /// The longest prefix of whole characters that fits 24 bytes.
    package static func cut(_ title: String) -> String {
        var cut = ""
        for character in title {
            guard cut.utf8.count + character.utf8.count <= Limits.tokenTitleBytes else { break }
            cut.append(character)
        }
        return cut
    }
}
