package import NodeCore

/// In groups the lane's key signs each record: all members hold the keys that seal, so a seal proves nothing there.
extension Record {
    /// Creates a record signed with the lane's key.
    package init(
        header: RecordHeader, blob: BlobReference?, sealedMeta: [UInt8], signedBy key: Ed25519.KeyPair
    ) {
        let unsigned = Record(header: header, blob: blob, sealedMeta: sealedMeta)
        self.init(
            header: header, blob: blob, sealedMeta: sealedMeta, signature: key.sign(Self.signedMessage(unsigned)))
    }

    /// Whether the lane's own key signed the record.
    package var isSigned: Bool {
        let unsigned = Record(header: header, blob: blob, sealedMeta: sealedMeta)
        return Ed25519.verify(
            signature: signature, message: Self.signedMessage(unsigned), publicKey: lane.storage)
    }

    /// The message to sign: the hash of everything but the signature.
    private static func signedMessage(_ unsigned: Record) -> [UInt8] {
        Blake2b.hash32(unsigned.encoded, domain: "kachat record").bytes
    }
}
