import NodeCore

/// What tells a removed member that it is one: the owner's removal, and the transfers since genesis by which its signer
/// is the owner. Lists of names stay out: what of the member's records remains is not its affair any more.
///
///     dismissal = seq(+ control: bstr)
enum Dismissal {
    static func of(_ member: MemberID, in state: GroupState) -> [UInt8] {
        guard let removal = state.validRecords(.remove).first(where: { $0.act.subject == member }) else { return [] }
        var chain: [ControlRecord] = []
        for transfer in state.ownershipRecords.dropFirst() where removal.under != state.genesis?.hash {
            chain.append(transfer)
            if transfer.hash == removal.under { break }
        }
        var writer = CBORWriter(capacity: 512)
        for record in chain + [removal] { writer.write(bytes: record.encoded) }
        return writer.bytes
    }

    /// Whether the member is removed, by what it knows and what it is shown.
    static func isConvincing(_ dismissal: [UInt8], about member: MemberID, in state: GroupState) -> Bool {
        var reader = CBORReader(dismissal)
        var records: [ControlRecord] = []
        while reader.remaining > 0 {
            guard records.count < Limits.vouchers,
                let encoded = try? reader.readBytes(max: Limits.controlRecordBytes),
                let record = try? ControlRecord(encodedWithoutNames: encoded)
            else { return false }
            records.append(record)
        }
        // Of a record that is held the list of names is known: it goes first, and the other copy counts for nothing.
        return GroupState(group: state.group, records: state.records + records).removed.contains(member)
    }
}
