package import NodeCore

/// The fields of each kind. A list of names always comes first: `count, list`, with the list itself up to 32 hashes and
/// its hash beyond that.
extension ControlAct {
    var wireKind: UInt64 {
        if case .later(let kind, _) = self { return kind }
        return kind?.rawValue ?? 0
    }

    var encodedFields: [UInt8] {
        if case .later(_, let fields) = self { return fields }
        var writer = CBORWriter(capacity: 96)
        if kind?.hasNames == true { Self.write(names, to: &writer) }
        switch self {
        case .genesis(let genesis): genesis.write(to: &writer)
        case .grant(let member, let role, _), .demote(let member, let role, _):
            writer.write(member)
            role.write(to: &writer)
        case .invite(let link): link.write(to: &writer)
        case .admission(let admission): admission.write(to: &writer)
        case .certificate(let device, let index):
            writer.write(device)
            writer.write(UInt64(index))
        case .suspend(let member), .remove(let member, _): writer.write(member)
        case .revoke(let hash, _), .keep(let hash, _): writer.write(hash)
        case .transfer(let transfer):
            writer.write(transfer.to)
            writer.write(bytes: transfer.acceptance)
        case .title(let title): title.write(to: &writer)
        case .rotate(let rotation):
            writer.write(rotation.number)
            writer.write(rotation.commitment)
            writer.write(rotation.previous)
            writer.write(bytes: rotation.sealedPrevious)
        case .seal(let root, let member, let sealed):
            writer.write(root)
            writer.write(member)
            writer.write(bytes: sealed)
        case .unsuspend, .leave, .close, .later: break
        }
        return writer.bytes
    }

    init(kind raw: UInt64, fields: [UInt8], names external: ExternalNames) throws(ControlError) {
        guard let kind = ControlKind(rawValue: raw) else {
            self = .later(kind: raw, fields: fields)
            return
        }
        do {
            var reader = CBORReader(fields)
            let names = kind.hasNames ? try Self.readNames(&reader, external) : .empty
            self = try Self.read(kind, names, &reader)
            try reader.finish()
        } catch let error as ControlError {
            throw error
        } catch {
            throw .malformed
        }
    }

    static func digestOfExternalNames(kind raw: UInt64, fields: [UInt8]) -> Bytes32? {
        var reader = CBORReader(fields)
        guard ControlKind(rawValue: raw)?.hasNames == true, let count = try? reader.readUInt(),
            count > UInt64(Limits.inlineNames)
        else { return nil }
        return try? reader.read(Bytes32.self)
    }

    private static func read(_ kind: ControlKind, _ names: NameSet, _ reader: inout CBORReader) throws -> ControlAct {
        switch kind {
        case .genesis: return .genesis(try Genesis(from: &reader))
        case .grant:
            return .grant(to: try reader.read(MemberID.self), role: try Role(from: &reader), follows: names)
        case .demote:
            return .demote(try reader.read(MemberID.self), to: try Role(from: &reader), staying: names)
        case .invite: return .invite(try Delegation(from: &reader))
        case .admission: return .admission(try Admission(from: &reader))
        case .certificate:
            let device = try reader.read(LaneID.self)
            guard let index = UInt8(exactly: try reader.readUInt()), index < Limits.deviceIndices else {
                throw ControlError.malformed
            }
            return .certificate(device: device, index: index)
        case .suspend: return .suspend(try reader.read(MemberID.self))
        case .unsuspend: return .unsuspend(names)
        case .remove: return .remove(try reader.read(MemberID.self), staying: names)
        case .revoke: return .revoke(invitation: try reader.read(RecordHash.self), staying: names)
        case .keep: return .keep(ownership: try reader.read(RecordHash.self), staying: names)
        case .transfer:
            let to = try reader.read(MemberID.self)
            let acceptance = try reader.readBytes(max: Ed25519.signatureBytes)
            return .transfer(Transfer(to: to, acceptance: acceptance, staying: names))
        case .title: return .title(try GroupTitle(from: &reader))
        case .rotate:
            let number = try reader.readUInt()
            guard number <= Limits.ownersNumber else { throw ControlError.malformed }
            return .rotate(
                Rotation(
                    number: number, commitment: try reader.read(Bytes32.self),
                    previous: try reader.read(RecordHash.self),
                    sealedPrevious: try reader.readBytes(max: Limits.sealedRootBytes), follows: names))
        case .seal:
            return .seal(
                root: try reader.read(RecordHash.self), to: try reader.read(MemberID.self),
                sealed: try reader.readBytes(max: Limits.sealedRootBytes))
        case .close: return .close
        case .leave: return .leave(names)
        }
    }

    private static func write(_ names: NameSet, to writer: inout CBORWriter) {
        writer.write(UInt64(names.count))
        let list = names.encoded
        if names.count <= Limits.inlineNames {
            writer.write(bytes: list)
        } else {
            writer.write(digest(ofNames: list))
        }
    }

    private static func readNames(_ reader: inout CBORReader, _ external: ExternalNames) throws -> NameSet {
        let count = try reader.readUInt()
        guard count <= UInt64(Limits.names) else { throw ControlError.malformed }
        let list: [UInt8]
        if count <= UInt64(Limits.inlineNames) {
            list = try reader.readBytes(max: Limits.inlineNames * RecordHash.byteCount)
        } else {
            let digest = try reader.read(Bytes32.self)
            guard case .listed(let external) = external else { return .empty }
            guard let external, self.digest(ofNames: external) == digest else { throw ControlError.wrongNames }
            list = external
        }
        guard let names = NameSet(encoded: list), UInt64(names.count) == count else { throw ControlError.malformed }
        return names
    }

    /// The digest by which a record refers to a list of names beside it.
    package static func digest(ofNames list: [UInt8]) -> Bytes32 {
        Blake2b.hash32(list, domain: "kachat names")
    }
}

/// A list of names outside its record.
enum ExternalNames {
    /// Available, if there is one.
    case listed([UInt8]?)
    case unknown
}

extension ControlKind {
    /// True if its fields begin with a list of names.
    var hasNames: Bool {
        switch self {
        case .grant, .unsuspend, .remove, .demote, .revoke, .keep, .transfer, .rotate, .leave: true
        default: false
        }
    }
}
