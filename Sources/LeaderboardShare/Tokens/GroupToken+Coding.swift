import NodeCore

/// The bytes of a token: version, group, issuer, length and title, rendezvous, the number of links, the links (role,
/// expiry, uses, signature, and the key of all but the last), the secret, the hints (length and bytes each), and the
/// first three bytes of the hash of all that. Expiry and uses are LEB128 numbers, increased by one, with 0 for none.
extension GroupToken {
    private static let checksumBytes = 3

    /// The text form, also for a QR code. Upper case reads the same, and makes a smaller QR code.
    package var text: String { TokenText.encode(encoded) }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(u8: Self.formatVersion)
        writer.write(group)
        writer.write(issuer)
        writer.write(u8: UInt8(title.utf8.count))
        writer.write(Array(title.utf8))
        writer.write(rendezvous)
        writer.write(u8: UInt8(chain.count))
        for (index, link) in chain.enumerated() {
            writer.write(u8: link.role.rawValue)
            writer.writeVarint(link.expiresSeconds &+ 1)
            writer.writeVarint(link.uses == Delegation.unlimited ? 0 : UInt64(link.uses) + 1)
            writer.write(signatures[index])
            if index + 1 < chain.count { writer.write(link.key) }
        }
        secret.bytes.withUnsafeBytes { writer.write($0) }
        for hint in hints {
            writer.write(u8: UInt8(hint.hintBytes.count))
            writer.write(hint.hintBytes)
        }
        return writer.bytes + Self.checksum(writer.bytes)
    }

    /// Reads and verifies a token. Ignores case, spaces, line breaks and missing hyphens.
    package init(text: String) throws(TokenError) {
        try self.init(encoded: TokenText.decode(text))
    }

    init(encoded: [UInt8]) throws(TokenError) {
        guard encoded.count > Self.checksumBytes else { throw .incomplete }
        let content = Array(encoded.dropLast(Self.checksumBytes))
        guard Self.checksum(content) == Array(encoded.suffix(Self.checksumBytes)) else { throw .incomplete }
        guard content[0] == Self.formatVersion else { throw .otherVersion(content[0]) }
        do {
            var reader = ByteReader(content)
            _ = try reader.readU8()
            let group = try reader.read(ZoneID.self)
            let issuer = try reader.read(MemberID.self)
            let title = try Self.readTitle(&reader)
            let rendezvous = try reader.readBytes(Self.rendezvousBytes)
            let (chain, signatures, secret) = try Self.readChain(&reader)
            let hints = try Self.readHints(&reader)
            self.init(
                group: group, issuer: issuer, title: title, rendezvous: rendezvous, chain: chain,
                signatures: signatures, secret: secret, hints: hints)
        } catch {
            throw .notValid
        }
        try verify()
    }

    private static func readTitle(_ reader: inout ByteReader) throws -> String {
        let count = Int(try reader.readU8())
        guard count <= Limits.tokenTitleBytes,
            let title = String(validating: try reader.readBytes(count), as: UTF8.self),
            !title.unicodeScalars.contains(where: \.isControl)
        else { throw TokenError.notValid }
        return title
    }

    private static func readChain(
        _ reader: inout ByteReader
    ) throws -> (chain: [Delegation], signatures: [[UInt8]], secret: TokenSecret) {
        let count = Int(try reader.readU8())
        guard (1...Limits.chainLinks).contains(count) else { throw TokenError.notValid }
        var chain: [Delegation] = []
        var signatures: [[UInt8]] = []
        for index in 0..<count {
            guard let role = Role(rawValue: try reader.readU8()) else { throw TokenError.notValid }
            let expires = try reader.readVarint() &- 1
            let written = try reader.readVarint()
            let uses = written == 0 ? Delegation.unlimited : UInt32(exactly: written - 1)
            guard let uses, written == 0 || uses != Delegation.unlimited else { throw TokenError.notValid }
            signatures.append(try reader.readBytes(Ed25519.signatureBytes))
            let key = index + 1 < count ? try reader.read(Bytes32.self) : .zero
            chain.append(Delegation(role: role, expiresSeconds: expires, uses: uses, key: key))
        }
        guard let secret = TokenSecret(bytes: Secret(bytes: try reader.readBytes(TokenSecret.byteCount))) else {
            throw TokenError.notValid
        }
        chain[count - 1].key = secret.key.publicKey
        return (chain, signatures, secret)
    }

    private static func readHints(_ reader: inout ByteReader) throws -> [SocketAddress] {
        var hints: [SocketAddress] = []
        guard reader.remaining <= Limits.tokenHintBytes else { throw TokenError.notValid }
        while reader.remaining > 0 {
            let bytes = try reader.readBytes(Int(try reader.readU8()))
            guard let hint = SocketAddress(hintBytes: bytes) else { throw TokenError.notValid }
            hints.append(hint)
        }
        return hints
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        Array(Blake2b.hash16(bytes, domain: "kachat token sum").bytes.prefix(checksumBytes))
    }
}
