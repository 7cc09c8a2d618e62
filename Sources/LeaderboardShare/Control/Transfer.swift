package import NodeCore

/// Hands the ownership to another member, who has agreed.
package struct Transfer: Hashable, Sendable {
    package let to: MemberID
    /// The new owner's signature of `acceptanceMessage`.
    package let acceptance: [UInt8]
    /// What stays of the acts under the ownership that ends.
    package let staying: NameSet

    package init(to: MemberID, acceptance: [UInt8], staying: NameSet) {
        self.to = to
        self.acceptance = acceptance
        self.staying = staying
    }

    /// What the new owner signs: to take over the ownership that the record `giving` gave, from its holder.
    package static func acceptanceMessage(
        group: ZoneID, giving: RecordHash, from owner: MemberID, to member: MemberID
    ) -> [UInt8] {
        Blake2b.hash32(group.bytes, giving.bytes, owner.bytes, member.bytes, domain: "kachat transfer").bytes
    }
}
