package import NodeCore

/// The first record of a group. Its hash, together with the owner's key, is the group's id: nobody can create another
/// genesis for the same group, or claim ownership later.
package struct Genesis: Hashable, Sendable {
    package let random: Bytes16
    /// By the creator's clock.
    package let createdAt: WallTime
    /// The maximum number of members; shown, and enforced by admitters.
    package let memberLimit: UInt32
    /// Commits to the first root.
    package let rootCommitment: Bytes32

    package init(random: Bytes16, createdAt: WallTime, memberLimit: UInt32, rootCommitment: Bytes32) {
        self.random = random
        self.createdAt = createdAt
        self.memberLimit = memberLimit
        self.rootCommitment = rootCommitment
    }

    /// H(owner ‖ H(random, createdAt, limits, commitment)).
    package func groupID(owner: MemberID) -> ZoneID {
        var writer = CBORWriter(capacity: 80)
        write(to: &writer)
        let inner = Blake2b.hash32(writer.bytes, domain: "kachat genesis")
        return ZoneID(Blake2b.hash32(owner.bytes, inner.bytes, domain: "kachat group"))
    }

    /// Bytes of an epoch's root.
    static let rootBytes = 32

    /// The commitment by which a genesis or rotation identifies the root that it starts.
    package static func commitment(to root: Secret) -> Bytes32 {
        root.withUnsafeBytes { Blake2b.hash32($0, domain: "kachat root") }
    }

    func write(to writer: inout CBORWriter) {
        writer.writeArray(4)
        writer.write(random)
        writer.write(createdAt.milliseconds)
        writer.write(UInt64(memberLimit))
        writer.write(rootCommitment)
    }

    init(from reader: inout CBORReader) throws(ControlError) {
        do {
            guard try reader.readArray(max: 4) == 4 else { throw ControlError.malformed }
            random = try reader.read(Bytes16.self)
            createdAt = WallTime(milliseconds: try reader.readInt())
            guard let limit = UInt32(exactly: try reader.readUInt()) else { throw ControlError.malformed }
            memberLimit = limit
            rootCommitment = try reader.read(Bytes32.self)
        } catch {
            throw .malformed
        }
    }
}
