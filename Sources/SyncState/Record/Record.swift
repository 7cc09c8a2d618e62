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
