import NodeCore

/// Tells a former member why it is no longer one, with records that prove it by the owner's signature.
///
///     dismissal = seq(1, + control: bstr) / seq(2, * voucher)
///
/// 1, for a removal: the genesis, the transfers that make its signer the owner, and the removal. Lists of names are
/// omitted, since the member's remaining records no longer concern it. 2, for a member who left, or who was admitted by
/// a right that had been taken before the owner knew of it: the takings and leaves, with their lists, since these
/// decide.
enum Dismissal {
    private enum Kind {
        static let removal: UInt64 = 1
        static let takings: UInt64 = 2
    }

    static func of(removed member: MemberID, in state: GroupState) -> [UInt8] {
        guard let removal = state.validRecords(.remove).first(where: { $0.act.subject == member }) else { return [] }
        // From the genesis on: a device that only learnt of the membership holds no record of the group.
        var chain: [ControlRecord] = []
        for ownership in state.ownershipRecords {
            chain.append(ownership)
            if ownership.hash == removal.under { break }
        }
        var writer = CBORWriter(capacity: 512)
        writer.write(Kind.removal)
        for record in chain + [removal] { writer.write(bytes: record.encoded) }
        return writer.bytes
    }

    /// The dismissal of somebody who showed `vouchers`, which prove less than it thinks. Nil if no taking is the
    /// reason, and if the vouchers alone do not prove a membership: anybody could show those, and must learn nothing.
    static func of(_ peer: MemberID, shown vouchers: [ControlRecord], in state: GroupState) -> [UInt8]? {
        guard let proof = GroupState(group: state.group, records: vouchers).proof(of: [peer]) else { return nil }
        let names = Set(proof.map(\.hash))
        let people = Set(proof.map(\.by)).union(proof.compactMap(\.act.subject))
        let takings = state.validRecords(.remove, .demote, .revoke).filter { taking in
            if case .revoke(let invitation, _) = taking.act { return names.contains(invitation) }
            return taking.act.subject.map(people.contains) ?? false
        }
        let leaves = state.records.filter { $0.kind == .leave && people.contains($0.by) }
        let chain = state.ownershipRecords.dropFirst()
        guard !takings.isEmpty || !leaves.isEmpty,
            takings.count + leaves.count + chain.count <= Limits.vouchers
        else { return nil }
        var writer = CBORWriter(capacity: 2_048)
        writer.write(Kind.takings)
        Voucher.write(Array(chain) + takings + leaves, to: &writer)
        return writer.bytes.count <= Limits.voucherBytes ? writer.bytes : nil
    }

    enum Finding {
        case removed
        /// Not a member, according to these records and those held.
        case lapsed([ControlRecord])
    }

    /// The consequence of a dismissal for a member, judged together with its own records; nil if it remains a member.
    static func finding(_ dismissal: [UInt8], about member: MemberID, in state: GroupState) -> Finding? {
        var reader = CBORReader(dismissal)
        switch try? reader.readUInt() {
        case Kind.removal:
            var records: [ControlRecord] = []
            while reader.remaining > 0 {
                guard records.count < Limits.vouchers,
                    let encoded = try? reader.readBytes(max: Limits.controlRecordBytes),
                    let record = try? ControlRecord(encodedWithoutNames: encoded)
                else { return nil }
                records.append(record)
            }
            guard records.contains(where: { $0.kind == .remove && $0.act.subject == member }) else { return nil }
            // The list of names of a held record is known, so that copy goes first and the other one is ignored.
            let shown = GroupState(group: state.group, records: state.records + records)
            return shown.removed.contains(member) ? .removed : nil
        case Kind.takings:
            guard let records = try? Voucher.read(&reader), records.contains(where: isReason) else { return nil }
            let shown = GroupState(group: state.group, records: state.records + records)
            return shown.genesis != nil && shown.members[member] == nil ? .lapsed(records) : nil
        default: return nil
        }
    }

    /// A transfer alone ends nobody's membership.
    private static func isReason(_ record: ControlRecord) -> Bool {
        switch record.kind {
        case .remove, .demote, .revoke, .leave: true
        default: false
        }
    }
}
