package import NodeCore

/// `[body, signature]`, where the body is a byte string containing `[version, kind, group, by, under, claimedAt, nonce,
/// fields]`. The fields are again a byte string, so that a kind of a later version is passed on and its signature
/// checked without being understood. `under` is empty if there is none.
extension ControlRecord {
    package var encoded: [UInt8] {
        let body = Self.body(group, by, under, claimedAt, nonce, act)
        var writer = CBORWriter(capacity: body.count + 80)
        writer.writeArray(2)
        writer.write(bytes: body)
        writer.write(bytes: signature)
        return writer.bytes
    }

    /// The list of names that travels beside the record, if it is too long to be inside.
    package var externalNames: [UInt8]? {
        act.names.count > Limits.inlineNames ? act.names.encoded : nil
    }

    /// Reads and verifies a record. `names` is its list if that is not inside.
    package init(encoded: [UInt8], names: [UInt8]? = nil) throws(ControlError) {
        try self.init(encoded: encoded, names: .listed(names))
    }

    /// Reads and verifies a record without its list of names: if that is not inside, the record names nothing. It shows
    /// what its signer did, but does not belong to a group's set.
    init(encodedWithoutNames encoded: [UInt8]) throws(ControlError) { try self.init(encoded: encoded, names: .unknown) }

    private init(encoded: [UInt8], names: ExternalNames) throws(ControlError) {
        guard encoded.count <= Limits.controlRecordBytes else { throw .tooLong }
        let body: [UInt8]
        do {
            var reader = CBORReader(encoded)
            guard try reader.readArray(max: 2) == 2 else { throw ControlError.malformed }
            body = try reader.readBytes(max: Limits.controlRecordBytes)
            signature = try reader.readBytes(max: Ed25519.signatureBytes)
            try reader.finish()
        } catch {
            throw .malformed
        }
        hash = RecordHash(Blake2b.hash32(body, domain: Self.domain))
        var reader = CBORReader(body)
        let kind: UInt64
        let fields: [UInt8]
        do {
            guard try reader.readArray(max: 8) == 8 else { throw ControlError.malformed }
            guard try reader.readUInt() == Self.formatVersion else { throw ControlError.laterFormat }
            kind = try reader.readUInt()
            group = try reader.read(ZoneID.self)
            by = try reader.read(MemberID.self)
            under = try Self.readUnder(&reader)
            claimedAt = WallTime(milliseconds: try reader.readInt())
            nonce = try reader.readUInt()
            fields = try reader.readBytes(max: Limits.controlRecordBytes)
            try reader.finish()
        } catch let error as ControlError {
            throw error
        } catch {
            throw .malformed
        }
        act = try ControlAct(kind: kind, fields: fields, names: names)
        try verify()
    }

    /// The digest of the list that must come beside the record, if any; nil for bytes that are not a record.
    package static func digestOfExternalNames(encoded: [UInt8]) -> Bytes32? {
        guard encoded.count <= Limits.controlRecordBytes else { return nil }
        var reader = CBORReader(encoded)
        guard (try? reader.readArray(max: 2)) == 2, let body = try? reader.readBytes(max: encoded.count) else {
            return nil
        }
        var bodyReader = CBORReader(body)
        guard (try? bodyReader.readArray(max: 8)) == 8, (try? bodyReader.readUInt()) == formatVersion,
            let raw = try? bodyReader.readUInt()
        else { return nil }
        for _ in 0..<5 { guard (try? bodyReader.skip()) != nil else { return nil } }
        guard let fields = try? bodyReader.readBytes(max: body.count) else { return nil }
        return ControlAct.digestOfExternalNames(kind: raw, fields: fields)
    }

    private static func readUnder(_ reader: inout CBORReader) throws -> RecordHash {
        let bytes = try reader.readBytes(max: RecordHash.byteCount)
        if bytes.isEmpty { return .zero }
        guard let hash = RecordHash(bytes: bytes), hash != .zero else { throw ControlError.malformed }
        return hash
    }

    static func body(
        _ group: ZoneID, _ by: MemberID, _ under: RecordHash, _ claimedAt: WallTime, _ nonce: UInt64, _ act: ControlAct
    ) -> [UInt8] {
        let fields = act.encodedFields
        var writer = CBORWriter(capacity: fields.count + 140)
        writer.writeArray(8)
        writer.write(formatVersion)
        writer.write(act.wireKind)
        writer.write(group)
        writer.write(by)
        if under == .zero { writer.write(bytes: []) } else { writer.write(under) }
        writer.write(claimedAt.milliseconds)
        writer.write(nonce)
        writer.write(bytes: fields)
        return writer.bytes
    }
}
