import NodeCore

/// The set of control records with numbers: records in ascending order of hashes, members in order of appearance.
///
/// Judging compares and looks up often; numbers in place of 32-byte keys make that an array access.
struct ControlSet: Sendable {
    /// Ascending by hash, each once.
    let records: [ControlRecord]
    private(set) var numbers: [RecordHash: Int] = [:]
    private(set) var members: [MemberID] = []
    private(set) var memberNumbers: [MemberID: Int] = [:]
    /// By record: its signer, its subject (or -1), and the record it acts under (or -1).
    private(set) var by: [Int] = []
    private(set) var subject: [Int] = []
    private(set) var under: [Int] = []
    private(set) var kinds: [ControlKind?] = []
    /// By record: the records that act under it.
    private(set) var children: [[Int]] = []
    /// By member: the admissions it signed.
    private(set) var admissions: [[Int]] = []

    init(group: ZoneID, records given: some Sequence<ControlRecord>) {
        var known: Set<RecordHash> = []
        records = given.filter { $0.group == group && known.insert($0.hash).inserted }.sorted { $0.hash < $1.hash }
        numbers.reserveCapacity(records.count)
        for (index, record) in records.enumerated() { numbers[record.hash] = index }
        children = Array(repeating: [], count: records.count)
        for (index, record) in records.enumerated() { add(index, record) }
    }

    private mutating func add(_ index: Int, _ record: ControlRecord) {
        let signer = number(of: record.by)
        by.append(signer)
        subject.append(record.act.subject.map { number(of: $0) } ?? -1)
        kinds.append(record.kind)
        let parent = record.under == .zero ? -1 : numbers[record.under] ?? -1
        under.append(parent)
        if parent >= 0 { children[parent].append(index) }
        if record.kind == .admission { admissions[signer].append(index) }
    }

    private mutating func number(of member: MemberID) -> Int {
        if let known = memberNumbers[member] { return known }
        memberNumbers[member] = members.count
        members.append(member)
        admissions.append([])
        return members.count - 1
    }

    /// The key to which a giving gives a role.
    func holder(_ index: Int) -> Int { kinds[index] == .genesis ? by[index] : subject[index] }

    func hash(_ index: Int) -> RecordHash { records[index].hash }
}
