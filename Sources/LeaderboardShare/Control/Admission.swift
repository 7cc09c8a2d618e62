package import NodeCore

/// Admits `subject`: the chain of its token, and the proof that it held the chain's last secret.
package struct Admission: Hashable, Sendable {
    package let subject: MemberID
    /// From the invitation's own link to the token's last.
    package let chain: [Delegation]
    /// The signature of each link but the first, by the previous link's key; the first is in the invitation, signed
    /// there.
    package let linkSignatures: [[UInt8]]
    /// The last link's signature of the joiner's key.
    package let proof: [UInt8]

    package init(subject: MemberID, chain: [Delegation], linkSignatures: [[UInt8]], proof: [UInt8]) {
        self.subject = subject
        self.chain = chain
        self.linkSignatures = linkSignatures
        self.proof = proof
    }

    /// The joiner's role: that of the last link.
    package var role: Role { chain.last?.role ?? .viewer }

    /// True if the chain's signatures and the proof are valid. The state checks that rights do not widen.
    package func isProven(group: ZoneID) -> Bool {
        guard let last = chain.last, linkSignatures.count == chain.count - 1 else { return false }
        for (index, signature) in linkSignatures.enumerated() {
            let previous = chain[index].key
            let message = chain[index + 1].signedMessage(group: group, after: previous)
            guard Ed25519.verify(signature: signature, message: message, publicKey: previous) else { return false }
        }
        let message = Delegation.joinMessage(group: group, joiner: subject)
        return Ed25519.verify(signature: proof, message: message, publicKey: last.key)
    }

    func write(to writer: inout CBORWriter) {
        writer.writeArray(4)
        writer.write(subject)
        writer.writeArray(chain.count)
        for link in chain { link.write(to: &writer) }
        writer.writeArray(linkSignatures.count)
        for signature in linkSignatures { writer.write(bytes: signature) }
        writer.write(bytes: proof)
    }

    init(from reader: inout CBORReader) throws(ControlError) {
        do {
            guard try reader.readArray(max: 4) == 4 else { throw ControlError.malformed }
            subject = try reader.read(MemberID.self)
            let links = try reader.readArray(max: Limits.chainLinks)
            guard links > 0 else { throw ControlError.malformed }
            var chain: [Delegation] = []
            for _ in 0..<links { chain.append(try Delegation(from: &reader)) }
            let signed = try reader.readArray(max: Limits.chainLinks)
            guard signed == links - 1 else { throw ControlError.malformed }
            var signatures: [[UInt8]] = []
            for _ in 0..<signed { signatures.append(try reader.readBytes(max: Ed25519.signatureBytes)) }
            self.chain = chain
            linkSignatures = signatures
            proof = try reader.readBytes(max: Ed25519.signatureBytes)
        } catch {
            throw .malformed
        }
    }
}
