package import NodeCore

/// The lane's key signs each record: everybody in a zone holds the keys that seal, so a seal does not say who wrote it.
extension Record {
    /// Creates a record signed with the lane's key.
    package init(
        header: RecordHeader, blob: BlobReference?, sealedMeta: [UInt8], zone: ZoneID,
        signedBy key: Ed25519.KeyPair
    ) {
        let unsigned = Record(header: header, blob: blob, sealedMeta: sealedMeta)
        self.init(
            header: header, blob: blob, sealedMeta: sealedMeta,
            signature: key.sign(Self.signedMessage(unsigned, in: zone)))
    }

    /// Whether the lane's own key signed the record, for this zone.
    package func isSigned(in zone: ZoneID) -> Bool {
        let unsigned = Record(header: header, blob: blob, sealedMeta: sealedMeta)
        return Ed25519.verify(
            signature: signature, message: Self.signedMessage(unsigned, in: zone), publicKey: lane.storage)
    }

    /// The message to sign: the hash of the zone and of everything but the signature.
    private static func signedMessage(_ unsigned: Record, in zone: ZoneID) -> [UInt8] {
        Blake2b.hash32(zone.bytes, unsigned.encoded, domain: "kachat record").bytes
    }
}
