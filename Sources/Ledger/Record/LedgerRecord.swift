package import NodeCore

/// One control record of a zone: signed by a lane, or by a person.
///
/// A value of this type has the right form, and its signatures were verified when it was read from outside. Whether it
/// counts is decided by `LedgerState`, from the set of all records held.
package struct LedgerRecord: Sendable {
    /// BLAKE2b-256 of the body, which includes the zone: the record's name.
    package let hash: RecordHash
    /// Zero in a genesis, whose hash is the zone.
    package let zone: ZoneID
    /// The lane or the person that signed.
    package let signer: Bytes32
    /// The record of the same lane that it follows; zero for an Enter, and for what a person signs.
    package let prev: RecordHash
    package let act: LedgerAct
    /// 64 bytes, over the bytes of the hash.
    package let signature: [UInt8]

    static let formatVersion: UInt64 = 2
    static let domain = "kachat ledger"

    /// Creates a record; `sign` returns the signer's signature of its argument.
    package init(
        zone: ZoneID, signer: Bytes32, prev: RecordHash, act: LedgerAct, sign: ([UInt8]) -> [UInt8]
    ) {
        let body = Self.body(zone, signer, prev, act)
        let hash = RecordHash(Blake2b.hash32(body, domain: Self.domain))
        self.init(hash: hash, zone: zone, signer: signer, prev: prev, act: act, signature: sign(hash.bytes))
    }

    /// For records whose hash is known, and for tests that choose it.
    package init(
        hash: RecordHash, zone: ZoneID, signer: Bytes32, prev: RecordHash, act: LedgerAct, signature: [UInt8]
    ) {
        self.hash = hash
        self.zone = zone
        self.signer = signer
        self.prev = prev
        self.act = act
        self.signature = signature
    }

    package var lane: LaneID { LaneID(signer) }

    /// The zone to which it belongs.
    package var home: ZoneID {
        if case .genesis = act { return ZoneID(hash.storage) }
        return zone
    }

    /// Checks all signatures of the record: its own, and those that it carries.
    package func verify() throws(LedgerError) {
        guard Ed25519.verify(signature: signature, message: hash.bytes, publicKey: signer) else {
            throw .badSignature
        }
        if case .genesis(let genesis) = act, genesis.founder != signer { throw .badSignature }
        guard case .enter(let enter) = act else { return }
        guard enter.isEndorsed(lane: lane, zone: zone), enter.isProven(zone: zone) else { throw .badSignature }
    }
}

extension Genesis {
    /// The key that signs it: an account's person, a group's first lane.
    fileprivate var founder: Bytes32 {
        switch self {
        case .account(let identity, _): identity.storage
        case .group(let group): group.firstLane.storage
        }
    }
}

extension LedgerRecord: Hashable {
    package static func == (left: LedgerRecord, right: LedgerRecord) -> Bool { left.hash == right.hash }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// Why bytes are not a record of this ledger.
package enum LedgerError: Error, Equatable, Sendable {
    /// Not the form of a record of this version.
    case malformed
    /// Beyond `Limits.recordBytes`.
    case tooLong
    /// Written by a later version of the program.
    case laterFormat
    /// A signature, an endorsement or a ticket's proof does not verify.
    case badSignature
}

/// `[body, signature]`: the body is a byte string that contains `[2, zone, signer, prev, kind, fields]`. The fields are
/// again a byte string, so that a kind of a later version is passed on and its signature checked without being
/// understood. `zone` and `prev` are empty where there is none.
extension LedgerRecord {
    package var encoded: [UInt8] {
        let body = Self.body(zone, signer, prev, act)
        return CBORWriter.array(capacity: body.count + 80, body, signature)
    }

    /// Reads a record. `verified` is true for bytes that were verified before they were stored.
    package init(encoded: [UInt8], verified: Bool = false) throws(LedgerError) {
        guard encoded.count <= Limits.recordBytes else { throw .tooLong }
        do {
            var outer = try CBORReader(encoded, array: 2)
            let body = try outer.readBytes(max: Limits.recordBytes)
            signature = try outer.readBytes(max: Ed25519.signatureBytes)
            try outer.finish()
            guard signature.count == Ed25519.signatureBytes else { throw LedgerError.malformed }
            hash = RecordHash(Blake2b.hash32(body, domain: Self.domain))
            var reader = try CBORReader(body, array: 6)
            guard try reader.readUInt() == Self.formatVersion else { throw LedgerError.laterFormat }
            zone = try Self.readOptional(&reader) ?? .zero
            signer = try reader.read(Bytes32.self)
            prev = try Self.readOptional(&reader) ?? .zero
            let kind = try reader.readUInt()
            let fields = try reader.readBytes(max: Limits.recordBytes)
            try reader.finish()
            act = try LedgerAct(kind: kind, fields: fields)
        } catch let error as LedgerError {
            throw error
        } catch {
            throw .malformed
        }
        guard act.standsAlone == (prev == .zero), act.isGenesis == (zone == .zero) else { throw .malformed }
        if !verified { try verify() }
    }

    /// An identifier, or nil for the empty byte string. Zero is not an identifier.
    static func readOptional<ID: Identifier32>(_ reader: inout CBORReader) throws -> ID? {
        let bytes = try reader.readBytes(max: ID.byteCount)
        if bytes.isEmpty { return nil }
        guard let id = ID(bytes: bytes), id != .zero else { throw LedgerError.malformed }
        return id
    }

    private static func body(_ zone: ZoneID, _ signer: Bytes32, _ prev: RecordHash, _ act: LedgerAct) -> [UInt8] {
        let fields = act.encodedFields
        var writer = CBORWriter(capacity: fields.count + 120)
        writer.writeArray(6)
        writer.write(formatVersion)
        writer.writeOptional(zone)
        writer.write(signer)
        writer.writeOptional(prev)
        writer.write(act.kind)
        writer.write(bytes: fields)
        return writer.bytes
    }
}

extension CBORWriter {
    /// An identifier, or the empty byte string for zero.
    mutating func writeOptional(_ id: some Identifier32) {
        if id == .zero { write(bytes: []) } else { write(id) }
    }
}
