package import NodeCore

/// What a group is: one total, pure function of the *set* of its control records. No order of arrival, no clock and no
/// claimed date has a part in it, so that all who hold the same records agree.
///
/// The rules (docs/PROTOCOL.md, "Groups"): each record acts under a giving that it names by hash; ownership is a chain
/// from genesis along transfers; only owners take, and a taking names what stays of what was done under the taken
/// right; a record is valid if each right that it uses was given by a valid record to its signer and is not taken, or
/// its taking names it. This is a least fixed point, found in linear time: owners' acts depend on transfers only,
/// takings on owners' acts only, and everything else only adds.
///
/// Each record is one that `ControlRecord.verify` has passed.
package struct GroupState: Sendable {
    package let group: ZoneID
    let log: ControlSet

    /// By record: whether it is valid.
    var valid: [Bool]
    /// The ownerships from genesis on, as numbers of records.
    var ownerships: [Int] = []
    /// By member: the valid records that give it a role, but for those that add nothing.
    var givings: [[Int]]
    /// By member: whether it holds a role without a demotion below it; see `Standing`.
    var standings: [Standing]
    /// What stays of a removed key's records, and of a revoked invitation's.
    var removedNames: [Int: NameSet] = [:]
    var revokedNames: [Int: NameSet] = [:]
    /// What stays of what was done under an ownership that ended.
    var keptNames: [Int: NameSet] = [:]
    /// By member: the demotions that count.
    var demotions: [Int: [Int]] = [:]
    var certified: Set<DeviceClaim> = []
    /// By member: the admissions that it ended by leaving.
    var ended: [Int: Set<RecordHash>] = [:]

    /// The member that owns the group; nil while its genesis is missing: then nothing is valid.
    package internal(set) var owner: MemberID?
    /// Two transfers of one ownership were signed, to different members. The lower hash counts; people are told.
    package internal(set) var isDisputed = false
    /// Final: nothing is accepted any more.
    package internal(set) var isClosed = false
    /// Roles of all who are in, the suspended too.
    package internal(set) var members: [MemberID: Role] = [:]
    package internal(set) var suspended: Set<MemberID> = []
    /// Who left by its own word and was not let in again. Their rights are untouched, and their results hidden.
    package internal(set) var left: Set<MemberID> = []
    /// For ever.
    package internal(set) var removed: Set<MemberID> = []
    /// The record that names the group.
    package internal(set) var titleRecord: ControlRecord?
    /// The genesis or rotation that the newest epoch started with.
    package internal(set) var rootRecord: ControlRecord?
    /// All records whose roots are recognised.
    package internal(set) var roots: Set<RecordHash> = []
    /// The newest root's members may include a removed one: an owner device is to write a rotation.
    package internal(set) var isRootDue = false
    package internal(set) var validCount = 0

    package init(group: ZoneID, records: some Sequence<ControlRecord>) {
        self.group = group
        log = ControlSet(group: group, records: records)
        valid = Array(repeating: false, count: log.records.count)
        givings = Array(repeating: [], count: log.members.count)
        standings = Array(repeating: Standing(), count: log.members.count)
        for (index, record) in log.records.enumerated() {
            // These two speak for their signer alone, and are not judged.
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

    /// Whether the state counts this record: what is void or unknown is not valid.
    package func isValid(_ hash: RecordHash) -> Bool { log.numbers[hash].map { valid[$0] } ?? false }

    /// All records of the group, the void ones too, ascending by hash.
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

    /// The current title; nil before the owner gave one.
    package var title: GroupTitle? {
        guard case .title(let title)? = titleRecord?.act else { return nil }
        return title
    }
}

/// A member, by number, and a device that claims to be one of its devices.
struct DeviceClaim: Hashable, Sendable {
    let member: Int
    let device: LaneID
}
