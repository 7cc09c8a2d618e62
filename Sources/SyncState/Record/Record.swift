package import NodeCore

/// One entry of a lane, as it is stored, hashed and sent (docs/PROTOCOL.md, §4.1).
///
/// ```
/// record = [ 1, lane: bstr32, seq: uint, slot: bstr16, kind: 1..3, root: uint, ? prev: bstr32,
///            blobSize: uint, blobHash: bstr32 / bstr0, sealedMeta: bstr, signature: bstr64 ]
/// ```
package struct Record: Sendable {
    static let formatVersion: UInt64 = 1

    package let header: RecordHeader
    package let blob: BlobReference?
    /// nonce ‖ ciphertext ‖ tag of the meta.
    package let sealedMeta: [UInt8]
    /// The lane key's signature (`isSigned(in:)`). A record without one is read and refused.
    package let signature: [UInt8]
    /// The canonical bytes.
    package let encoded: [UInt8]
    /// BLAKE2b-256 of `encoded`, computed on each call: most readers of a stored record do not need it.
    package var hash: RecordHash { Self.hash(of: encoded) }

    /// The name that the next row of its lane and control records use: its seq, so that its place is known before it is
    /// held, and the first 24 bytes of its hash.
    package var name: RecordHash {
        let hash = hash.storage
        return RecordHash(Bytes32(seq, hash.w0, hash.w1, hash.w2))
    }

    /// Whether this row supersedes the other one, of the same slot and lane.
    func isNewer(than other: Record) -> Bool { seq != other.seq ? seq > other.seq : hash > other.hash }

    package var lane: LaneID { header.lane }
    package var seq: UInt64 { header.seq }
    package var slot: Slot { header.slot }
    package var kind: RecordKind { header.kind }

    package init(header: RecordHeader, blob: BlobReference?, sealedMeta: [UInt8], signature: [UInt8] = []) {
        var writer = CBORWriter()
        writer.writeArray(header.fields + 4)
        header.write(to: &writer)
        RecordHeader.write(blob, to: &writer)
        writer.write(bytes: sealedMeta)
        writer.write(bytes: signature)
        self.header = header
        self.blob = blob
        self.sealedMeta = sealedMeta
        self.signature = signature
        encoded = writer.bytes
    }

    /// Reads the canonical form. Throws `RecordError` for anything else, which may come from a peer or from the disk.
    package init(encoded: [UInt8]) throws(RecordError) {
        guard encoded.count <= Limits.recordSizeBytes else { throw .tooLarge(sizeBytes: encoded.count) }
        do {
            var reader = CBORReader(encoded)
            let fields = try reader.readArray(max: 11)
            guard fields >= 10, try reader.readUInt() == Self.formatVersion else { throw RecordError.malformed }
            let lane = try reader.read(LaneID.self)
            let seq = try reader.readUInt()
            let slot = try reader.read(Slot.self)
            guard let kind = RecordKind(rawValue: try reader.readUInt()) else { throw RecordError.malformed }
            let keyVersion = try reader.readUInt()
            guard (1...Limits.highestSeq).contains(seq), keyVersion <= Limits.highestKeyVersion else {
                throw RecordError.malformed
            }
            header = RecordHeader(
                lane: lane, seq: seq, slot: slot, kind: kind, keyVersion: keyVersion,
                prev: fields == 11 ? try reader.read(RecordHash.self) : nil)
            blob = try Self.readBlob(&reader)
            sealedMeta = try reader.readBytes(max: Limits.recordSizeBytes)
            signature = try reader.readBytes(max: 64)
            try reader.finish()
        } catch let error as RecordError {
            throw error
        } catch {
            throw .malformed
        }
        guard signature.isEmpty || signature.count == 64 else { throw .malformed }
        self.encoded = encoded
    }

    package static func hash(of encoded: [UInt8]) -> RecordHash {
        RecordHash(encoded.withUnsafeBytes { Blake2b.hash32($0) })
    }

    private static func readBlob(_ reader: inout CBORReader) throws -> BlobReference? {
        let sizeBytes = try reader.readUInt()
        if sizeBytes == 0 {
            guard try reader.readBytes(max: 0).isEmpty else { throw RecordError.malformed }
            return nil
        }
        guard sizeBytes <= UInt64(Limits.blobSizeBytes) else { throw RecordError.malformed }
        return BlobReference(hash: try reader.read(BlobHash.self), sizeBytes: Int(sizeBytes))
    }
}

/// Why the bytes of a record are refused.
package enum RecordError: Error, Equatable, Sendable {
    case tooLarge(sizeBytes: Int)
    case malformed
}

/// How a record relates to the others of its slot in the same lane (docs/PROTOCOL.md, §4.1).
package enum RecordKind: UInt64, Sendable, CaseIterable {
    /// A value, superseded by a higher (seq, hash) of the same slot and lane.
    case register = 1
    /// Messages, superseded in the same way.
    case segment = 2
    /// Never superseded.
    case immutable = 3

    /// Whether a later record of the same slot replaces this one.
    package var isSuperseded: Bool { self == .register || self == .segment }
}

/// The ciphertext that a record points at.
package struct BlobReference: Hashable, Sendable {
    /// BLAKE2b-256 of the ciphertext.
    package let hash: BlobHash
    /// Bytes of the ciphertext, 1 to `Limits.blobSizeBytes`.
    package let sizeBytes: Int

    package init(hash: BlobHash, sizeBytes: Int) {
        (self.hash, self.sizeBytes) = (hash, sizeBytes)
    }
}

extension BlobHash {
    package init(of blob: [UInt8]) { self.init(blob.withUnsafeBytes { Blake2b.hash32($0) }) }
}

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

/// Why a well-formed record is refused. The sender is logged once; its other records are still taken.
package enum RecordRejection: String, Error, Sendable, CaseIterable {
    /// The seal or the signature is wrong: forged, damaged, or made for another zone.
    case notAuthentic
    /// The seal opens, but the content is not in the canonical form.
    case malformedMeta
    /// The content belongs to another slot than the record's.
    case foreignSlot
    /// The fields do not fit the type.
    case malformedFields
    /// The zone has `Limits.lanes` lanes. Not the sender's fault.
    case overLimit
    /// There is no evidence yet that the record deserves its storage; it may be accepted later. Not the sender's fault.
    case notYet
    /// Its lane was removed, and it is not among the rows that stay. Not the fault of the sender, which may not have
    /// heard of the removal.
    case removed

    /// Whether the sender may have thought that the record would be taken.
    package var isNobodysFault: Bool { self == .overLimit || self == .notYet || self == .removed }
}
