package import NodeCore

/// Supports honest devices in writing records: the giving to cite, and the records to name.
extension GroupState {
    /// The giving under which a member acts as admin or owner; nil if it may not.
    package func authority(of member: MemberID) -> RecordHash? {
        if member == owner { return ownerships.last.map(log.hash) }
        guard let number = log.memberNumbers[member], removedNames[number] == nil else { return nil }
        return givings[number].first { giving in
            // An ownership that ended gives no admin's right.
            (log.kinds[giving] == .admission || log.kinds[giving] == .grant) && gives(giving) >= .admin
                && !cuts(giving).contains { role(ofCut: $0) < .admin }
        }.map(log.hash)
    }

    /// The demotions that a grant to this key must name to override them.
    package func demotions(of member: MemberID) -> NameSet {
        guard let number = log.memberNumbers[member] else { return .empty }
        return NameSet((demotions[number] ?? []).map(log.hash))
    }

    /// The valid removals, which a rotation names.
    package var removals: NameSet { NameSet(validRecords(.remove).map(\.hash)) }

    /// The valid control records that a member signed. Removing or demoting the member names these, and its accepted
    /// scores that are held.
    package func validRecords(by member: MemberID) -> NameSet {
        guard let number = log.memberNumbers[member] else { return .empty }
        return NameSet(log.records.indices.filter { valid[$0] && log.by[$0] == number }.map(log.hash))
    }

    /// The valid records under a giving, which a transfer, a revocation or a `keep` names.
    package func validRecords(under giving: RecordHash) -> NameSet {
        guard let number = log.numbers[giving] else { return .empty }
        return NameSet(log.children[number].filter { valid[$0] }.map(log.hash))
    }

    /// The giving that made the current owner; nil without a genesis.
    package var ownership: RecordHash? { ownerships.last.map(log.hash) }

    /// The givings of the ownership, from genesis on.
    var ownershipRecords: [ControlRecord] { ownerships.map { log.records[$0] } }

    /// The ownerships before the current one, from genesis on.
    package var earlierOwnerships: [RecordHash] { ownerships.dropLast().map(log.hash) }

    /// The names in the takings of a member or an invitation, or of an earlier ownership; nil if it is not taken.
    package func namesStaying(ofRemoved member: MemberID) -> NameSet? {
        log.memberNumbers[member].flatMap { removedNames[$0] }
    }

    package func namesStaying(ofRevoked invitation: RecordHash) -> NameSet? {
        log.numbers[invitation].flatMap { revokedNames[$0] }
    }

    /// The sealed roots for a member, with the record that started each, ascending by hash. The commitment proves their
    /// content; foreign or broken ones are ignored.
    package func seals(to member: MemberID) -> [(root: RecordHash, by: MemberID, sealed: [UInt8])] {
        log.records.compactMap { record in
            guard case .seal(let root, member, let sealed) = record.act else { return nil }
            return (root, record.by, sealed)
        }
    }

    /// The recipients of the current root: all members and viewers, no removed ones.
    package var sealRecipients: [MemberID] { members.keys.sorted() }

    /// A digest of the *set* of records: two devices with the same one judge alike.
    package var controlDigest: Bytes32 {
        Blake2b.hash32(log.records.flatMap { $0.hash.bytes }, domain: "kachat controls")
    }
}
