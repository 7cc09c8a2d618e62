package import NodeCore

/// Transfers ownership to another member, who has agreed.
package struct Transfer: Hashable, Sendable {
    package let to: MemberID
    /// The new owner's signature of `acceptanceMessage`.
    package let acceptance: [UInt8]
    /// The acts under the ending ownership that stay valid.
    package let staying: NameSet

    package init(to: MemberID, acceptance: [UInt8], staying: NameSet) {
        self.to = to
        self.acceptance = acceptance
        self.staying = staying
    }

    /// The message that the new owner signs: to take over, from its holder, the ownership that the record `giving`
    /// gave.
    package static func acceptanceMessage(
        group: ZoneID, giving: RecordHash, from owner: MemberID, to member: MemberID
    ) -> [UInt8] {
        Blake2b.hash32(group.bytes, giving.bytes, owner.bytes, member.bytes, domain: "kachat transfer").bytes
    }
}
