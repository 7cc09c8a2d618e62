package import Ledger
package import NodeCore

/// A member, as shown to people.
package struct GroupMember: Sendable {
    package enum State: String, Sendable {
        case active
        case suspended
        /// Dismissed by the owner.
        case removed
        /// Left voluntarily.
        case left
    }

    /// Digits of its id, or a multiple, that distinguish a name from one that looks like it.
    package static let shownDigits = 4

    package let id: MemberID
    /// Different from that of every other member.
    package let name: String
    package let role: Role
    package let state: State
    /// The owner's device has seen it: no ticket matters to it any more.
    package let isConfirmed: Bool
    /// The member that invited it; nil for the owner, and if it is unknown.
    package let invitedBy: MemberID?
    /// Number of its devices.
    package let devices: Int
    package let isMe: Bool
}

/// A member's display name in one group: `[1, member, name, revision, updatedAt]`.
///
/// Each is a separate record; when reading, the highest revision wins, then the hash.
package struct MemberName: Hashable, Sendable {
    package let member: MemberID
    package let name: String
    /// One above the highest that the writer saw; from 1.
    package let revision: UInt32
    /// The writing device's clock.
    package let updatedAt: WallTime

    static let formatVersion: UInt64 = 1

    package init(member: MemberID, name: String, revision: UInt32, updatedAt: WallTime) throws(ScoreError) {
        guard GroupTitle.isAcceptable(title: name) else { throw .badName }
        guard (1...Limits.nameRevision).contains(revision) else { throw .tooManyRevisions }
        self.member = member
        self.name = name
        self.revision = revision
        self.updatedAt = updatedAt
    }

    package func supersedes(_ other: MemberName) -> Bool {
        if revision != other.revision { return revision > other.revision }
        return valueHash > other.valueHash
    }

    private var valueHash: Bytes32 { Blake2b.hash32(encoded, domain: "kachat name") }

    package var encoded: [UInt8] {
        CBORWriter.array(capacity: 96, Self.formatVersion, member, name, revision, updatedAt)
    }

    package init(encoded: [UInt8]) throws(ScoreError) {
        do {
            var reader = try CBORReader(encoded, array: 5)
            guard try reader.readUInt() == Self.formatVersion else { throw ScoreError.malformed }
            let member = try reader.read(MemberID.self)
            let name = try reader.readText(max: Limits.titleBytes)
            guard let revision = UInt32(exactly: try reader.readUInt()) else { throw ScoreError.outOfRange }
            try self.init(
                member: member, name: name, revision: revision,
                updatedAt: reader.readTime())
            try reader.finish()
        } catch let error as ScoreError {
            throw error
        } catch {
            throw .malformed
        }
    }
}
