package import NodeCore

/// One link of a token's chain: the rights its holder can pass on, and the key whose secret the holder has.
package struct Delegation: Hashable, Sendable {
    package var role: Role
    /// Seconds since 1970, by the admitter's clock. `never` for none.
    package var expiresSeconds: UInt64
    /// The number of people who may join with it; `unlimited` for any number.
    package var uses: UInt32
    /// The public key of the link's secret: it signs the next link, or the joiner's key.
    package var key: Bytes32

    package static let never = UInt64.max
    package static let unlimited = UInt32.max

    package init(
        role: Role, expiresSeconds: UInt64 = Delegation.never, uses: UInt32 = Delegation.unlimited, key: Bytes32
    ) {
        self.role = role
        self.expiresSeconds = expiresSeconds
        self.uses = uses
        self.key = key
    }

    /// True if this link gives nothing beyond `other`.
    package func narrows(_ other: Delegation) -> Bool {
        role <= other.role && expiresSeconds <= other.expiresSeconds && uses <= other.uses
    }

    /// The message that the previous link's key signs, to make this one its successor.
    package func signedMessage(group: ZoneID, after previous: Bytes32) -> [UInt8] {
        var writer = CBORWriter(capacity: 128)
        writer.writeArray(3)
        writer.write(group)
        writer.write(previous)
        write(to: &writer)
        return Blake2b.hash32(writer.bytes, domain: "kachat delegate").bytes
    }

    /// The message that the last link's key signs, to admit `joiner`.
    package static func joinMessage(group: ZoneID, joiner: MemberID) -> [UInt8] {
        Blake2b.hash32(group.bytes, joiner.bytes, domain: "kachat join").bytes
    }

    func write(to writer: inout CBORWriter) {
        writer.writeArray(4)
        writer.write(UInt64(role.rawValue))
        writer.write(expiresSeconds)
        writer.write(UInt64(uses))
        writer.write(key)
    }

    init(from reader: inout CBORReader) throws(ControlError) {
        do {
            guard try reader.readArray(max: 4) == 4 else { throw ControlError.malformed }
            role = try Role(from: &reader)
            expiresSeconds = try reader.readUInt()
            guard let uses = UInt32(exactly: try reader.readUInt()) else { throw ControlError.malformed }
            self.uses = uses
            key = try reader.read(Bytes32.self)
        } catch {
            throw .malformed
        }
    }
}

extension Role {
    func write(to writer: inout CBORWriter) { writer.write(UInt64(rawValue)) }

    init(from reader: inout CBORReader) throws(ControlError) {
        guard let number = try? reader.readUInt(), let raw = UInt8(exactly: number), let role = Role(rawValue: raw)
        else { throw .malformed }
        self = role
    }
}
