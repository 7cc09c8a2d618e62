package import NodeCore

/// The state of a group: a total, pure function of the *set* of its control records. Order of arrival, clocks and
/// claimed dates have no influence, so that all who hold the same records agree.
///
/// The rules (docs/PROTOCOL.md, "Groups"): each record acts under a giving that it names by hash. Ownership is a chain
/// of transfers from genesis. Only owners take rights, and a taking names the records under the taken right that stay
/// valid. A record is valid if a valid record gave its signer each right that it uses, and each right is not taken or
/// its taking names the record. This is a least fixed point, found in linear time: owners' acts depend only on
/// transfers, takings only on owners' acts, and everything else only adds.
///
/// `ControlRecord.verify` has accepted each record.
package struct GroupState: Sendable {
    package let group: ZoneID
    let log: ControlSet

    /// By record: true if it is valid.
    var valid: [Bool]
    /// The ownerships from genesis on, as record numbers.
    var ownerships: [Int] = []
    /// By member: the valid records that give it a role, except those that add nothing.
    var givings: [[Int]]
    /// By member: its rights after demotions; see `Standing`.
    var standings: [Standing]
    /// The records of a removed key or a revoked invitation that stay valid.
    var removedNames: [Int: NameSet] = [:]
    var revokedNames: [Int: NameSet] = [:]
    /// Records that stay valid although the ownership they were signed under has ended.
    var keptNames: [Int: NameSet] = [:]
    /// By member: the demotions that count.
    var demotions: [Int: [Int]] = [:]
    var certified: Set<DeviceClaim> = []
    /// By member: the admissions that it ended by leaving.
    var ended: [Int: Set<RecordHash>] = [:]

    /// The owner; nil while the genesis is missing: then nothing is valid.
    package internal(set) var owner: MemberID?
    /// Two transfers of one ownership were signed, to different members. The lower hash counts, and the users are told.
    package internal(set) var isDisputed = false
    /// Final: nothing is accepted any more.
    package internal(set) var isClosed = false
    /// Roles of all members, including suspended ones.
    package internal(set) var members: [MemberID: Role] = [:]
    package internal(set) var suspended: Set<MemberID> = []
    /// Members who left voluntarily and were not admitted again. Their rights are unchanged, and their results hidden.
    package internal(set) var left: Set<MemberID> = []
    /// Removed for good.
    package internal(set) var removed: Set<MemberID> = []
    /// The record that names the group.
    package internal(set) var titleRecord: ControlRecord?
    /// The genesis or rotation that started the newest epoch.
    package internal(set) var rootRecord: ControlRecord?
    /// All records whose roots are recognised.
    package internal(set) var roots: Set<RecordHash> = []
    /// The newest root's recipients may include a removed member: an owner's device should write a rotation.
    package internal(set) var isRootDue = false
    package internal(set) var validCount = 0

    package init(group: ZoneID, records: some Sequence<ControlRecord>) {
        self.group = group
        log = ControlSet(group: group, records: records)
        valid = Array(repeating: false, count: log.records.count)
        givings = Array(repeating: [], count: log.members.count)
        standings = Array(repeating: Standing(), count: log.members.count)
        for (index, record) in log.records.enumerated() {
            // These two concern only their signer, and are not judged.
            switch record.act {
            case .certificate(let device, _):
                certified.insert(DeviceClaim(member: log.by[index], device: device))
            case .leave(let names): ended[log.by[index], default: []].formUnion(names.sorted)
            default: break
            }
        }
        guard let genesis = log.records.firstIndex(where: \.isGroupsGenesis) else { return }
        findOwners(from: genesis)
        judgeOwnersActs()
        gatherTakings()
        judgeTheRest()
        view()
    }

    /// True if the record is valid; void and unknown records are not.
    package func isValid(_ hash: RecordHash) -> Bool { log.numbers[hash].map { valid[$0] } ?? false }

    /// All records of the group, including void ones, ascending by hash.
    package var records: [ControlRecord] { log.records }

    /// The valid records of the given kinds, ascending by hash.
    package func validRecords(_ kinds: ControlKind...) -> [ControlRecord] {
        indices(of: kinds).map { log.records[$0] }
    }

    func indices(of kinds: [ControlKind]) -> [Int] {
        log.records.indices.filter { index in
            guard valid[index], let kind = log.kinds[index] else { return false }
            return kinds.contains(kind)
        }
    }

    package var genesis: ControlRecord? { ownerships.first.map { log.records[$0] } }

    /// The current title; nil before the owner sets one.
    package var title: GroupTitle? {
        guard case .title(let title)? = titleRecord?.act else { return nil }
        return title
    }
}

/// A member, by number, and a device that claims to belong to it.
struct DeviceClaim: Hashable, Sendable {
    let member: Int
    let device: LaneID
}
