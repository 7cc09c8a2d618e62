package import Ledger
package import NodeCore
import SyncState

/// The persons as whom the account founds and joins groups: their public keys, which nobody can tell to belong to one
/// account. The signer makes them all at once, and each device takes an unused one for a group
/// (docs/PROTOCOL-CHAT.md, §4.13).
package final class PersonsPart: AccountPart {
    typealias Content = PersonList

    private let context: AccountContext
    private let memberships: MembershipsPart

    init(_ context: AccountContext, _ memberships: MembershipsPart) {
        (self.context, self.memberships) = (context, memberships)
    }

    /// Lists the persons, if they are not listed yet.
    package func list(by signer: AccountSigner) throws {
        for part in 0..<PersonList.parts where try list(part) == nil {
            try context.store.begin()
            try context.write(PersonList(part: part, by: signer))
        }
    }

    /// The first person that is in no group; nil if there is none, or none is known yet.
    ///
    /// - Parameter taken: those that are about to be in one.
    package func unused(besides taken: Set<PersonID> = []) throws -> PersonID? {
        var used = taken
        for membership in memberships.all {
            used.formUnion(([membership.member] + membership.former).map(\.person))
        }
        for part in 0..<PersonList.parts {
            if let person = try list(part)?.persons.first(where: { !used.contains($0) }) { return person }
        }
        return nil
    }

    private func list(_ part: UInt64) throws -> PersonList? {
        try context.registers(PersonList.self, slotName: PersonList.slotName(of: part)).lazy.map(\.content)
            .first { $0.isSigned(by: self.context.keys.identity, in: self.context.keys.zone) }
    }

    func republish(from old: LaneID) throws {
        try context.rewrite(PersonList.self, from: old)
    }
}

/// A part of the account's persons: `[part, keys, signature]`. The identity signs, so that a device that is stolen
/// cannot put persons in their place whose keys it has.
struct PersonList: Sendable {
    static let parts: UInt64 = 4
    private static let keysBytes = Limits.personsListed * PersonID.byteCount

    let part: UInt64
    let persons: [PersonID]
    private let signature: [UInt8]

    init(part: UInt64, by signer: AccountSigner) {
        self.part = part
        let first = Int(part) * Limits.personsListed
        persons = (first..<first + Limits.personsListed).map { PersonID(signer.person($0).publicKey) }
        signature = signer.identity.sign(Self.message(part, persons, signer.keys.zone))
    }

    static func slotName(of part: UInt64) -> String { "persons.\(part)" }

    private static func message(_ part: UInt64, _ persons: [PersonID], _ zone: ZoneID) -> [UInt8] {
        var writer = CBORWriter()
        writer.write(part)
        return Blake2b.hash32(zone.bytes, writer.bytes, persons.flatMap(\.bytes), domain: "kachat persons").bytes
    }

    func isSigned(by identity: PersonID, in zone: ZoneID) -> Bool {
        Ed25519.verify(
            signature: signature, message: Self.message(part, persons, zone), publicKey: identity.storage)
    }
}

extension PersonList: AccountRecord {
    static var metaType: MetaType { .persons }
    func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName(of: part).utf8) }

    var encoded: [UInt8] {
        CBORWriter.array(capacity: Self.keysBytes + 80, part, persons.flatMap(\.bytes), signature)
    }

    init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = try CBORReader(fields, array: 3)
        part = try reader.readUInt()
        let keys = try reader.readBytes(max: Self.keysBytes)
        signature = try reader.readBytes(max: Ed25519.signatureBytes)
        guard part < Self.parts, keys.count == Self.keysBytes, signature.count == Ed25519.signatureBytes else {
            throw CBORError.outOfRange(at: reader.position)
        }
        persons = stride(from: 0, to: keys.count, by: PersonID.byteCount).compactMap {
            PersonID(bytes: keys[$0..<$0 + PersonID.byteCount])
        }
        try reader.finish()
    }
}

extension AccountSigner {
    /// One of the 256 persons that the account can be in groups.
    package func person(_ number: Int) -> Ed25519.KeyPair {
        var writer = ByteWriter()
        writer.write(u32: UInt32(number))
        return Ed25519.KeyPair(seed: HKDF.derive(persons, "account/person", writer.bytes))
    }

    /// The keys of a person that the account lists; nil for anybody else.
    package func keys(of person: PersonID) -> Ed25519.KeyPair? {
        (0..<Int(PersonList.parts) * Limits.personsListed).lazy.map { self.person($0) }
            .first { $0.publicKey == person.storage }
    }
}
