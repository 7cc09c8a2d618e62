package import NodeCore

extension GroupState {
    /// Derives the values that people and the node query, once it is known which records are valid.
    mutating func view() {
        viewMembers()
        viewSuspensions()
        validCount = valid.count { $0 }
        titleRecord = highest(indices(of: [.title])).map { log.records[$0] }
        viewRoots()
        isClosed = !indices(of: [.close]).isEmpty
    }

    private mutating func viewMembers() {
        for (number, member) in log.members.enumerated() {
            if removedNames[number] != nil { removed.insert(member) }
            guard let role = standings[number].role, removedNames[number] == nil else { continue }
            if hasLeft(number), member != owner { left.insert(member) } else { members[member] = role }
        }
    }

    /// True if a member left, and no later admission admits it again.
    private func hasLeft(_ number: Int) -> Bool {
        guard let ended = ended[number] else { return false }
        return !admittances(of: number).contains { !ended.contains(log.hash($0)) }
    }

    /// The valid admissions of a member, including those that give nothing new.
    func admittances(of number: Int) -> [Int] {
        log.records.indices.filter { log.kinds[$0] == .admission && log.subject[$0] == number && valid[$0] }
    }

    /// The records that a leaving member names.
    package func admissions(of member: MemberID) -> NameSet {
        NameSet(log.memberNumbers[member].map { admittances(of: $0).map(log.hash) } ?? [])
    }

    /// A suspension hides a member until a record by somebody else names it and lifts it.
    private mutating func viewSuspensions() {
        var lifters: [RecordHash: Set<Int>] = [:]
        for index in indices(of: [.unsuspend]) {
            for name in log.records[index].act.names.sorted { lifters[name, default: []].insert(log.by[index]) }
        }
        for index in indices(of: [.suspend]) {
            let subject = log.subject[index]
            var by = lifters[log.hash(index)] ?? []
            by.remove(subject)
            if by.isEmpty, log.members[subject] != owner { suspended.insert(log.members[subject]) }
        }
    }

    private mutating func viewRoots() {
        let rotations = indices(of: [.rotate])
        let root = highest(rotations) ?? ownerships[0]
        rootRecord = log.records[root]
        roots = Set(rotations.map(log.hash))
        roots.insert(log.hash(ownerships[0]))
        let follows = log.records[root].act.names
        isRootDue = indices(of: [.remove]).contains { index in
            log.members[log.subject[index]] != owner && !follows.contains(log.hash(index))
        }
    }

    /// The winner among titles or roots: the highest number, then the lower hash.
    private func highest(_ indices: [Int]) -> Int? {
        indices.max { left, right in
            let (one, other) = (Self.number(of: log.records[left]), Self.number(of: log.records[right]))
            return one == other ? left > right : one < other
        }
    }

    /// The number of the epoch that a record started; 0 for genesis.
    package func rootNumber(_ record: RecordHash) -> UInt64 {
        log.numbers[record].map { Self.number(of: log.records[$0]) } ?? 0
    }

    private static func number(of record: ControlRecord) -> UInt64 {
        switch record.act {
        case .title(let title): title.number
        case .rotate(let rotation): rotation.number
        default: 0
        }
    }

    /// The members that have certified a device's lane, ascending. More than one only if somebody certifies a foreign
    /// lane, which gains nothing: a record names its member, and the lane's key signs it.
    package func members(of device: LaneID) -> [MemberID] {
        certified.filter { $0.device == device }.map { log.members[$0.member] }.sorted()
    }

    /// The devices that a member certified, ascending.
    package func devices(of member: MemberID) -> [LaneID] {
        guard let number = log.memberNumbers[member] else { return [] }
        return certified.filter { $0.member == number }.map(\.device).sorted()
    }

    /// True if a key is or was a member: its lanes hold records that count, or did.
    package func hasBeenIn(_ member: MemberID) -> Bool {
        log.memberNumbers[member].map { !givings[$0].isEmpty } ?? false
    }

    /// The lanes entitled to a place: the lowest ones of each present or former member.
    package var lanesWithPlace: Set<LaneID> {
        var lanes: [Int: [LaneID]] = [:]
        for claim in certified where !givings[claim.member].isEmpty {
            lanes[claim.member, default: []].append(claim.device)
        }
        return Set(lanes.values.flatMap { $0.sorted().prefix(Int(Limits.deviceIndices)) })
    }

    /// True if an invitation was revoked; some of its admissions may stay.
    package func isRevoked(_ invitation: RecordHash) -> Bool {
        log.numbers[invitation].map { revokedNames[$0] != nil } ?? false
    }

    /// The valid invitations that are not revoked, ascending by hash. The admitter checks their expiry.
    package var openInvitations: [ControlRecord] { validRecords(.invite).filter { !isRevoked($0.hash) } }

    /// The number of valid admissions of an invitation.
    package func admissions(under invitation: RecordHash) -> Int {
        guard let number = log.numbers[invitation] else { return 0 }
        return log.children[number].count { log.kinds[$0] == .admission && valid[$0] }
    }

    /// The valid invitation with the first link of a token.
    package func invitation(of link: Delegation, by issuer: MemberID) -> ControlRecord? {
        validRecords(.invite).first { $0.by == issuer && $0.act == .invite(link) }
    }
}
