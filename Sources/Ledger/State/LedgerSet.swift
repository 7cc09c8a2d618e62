package import NodeCore

/// The control records held of one zone, linked: which follows which, and whose they are.
///
/// Nothing is judged here. Records, lanes and members are numbered in the order in which they came; no result of
/// `LedgerState` depends on these numbers. Adding a record costs the same however many there are.
package struct LedgerSet: Sendable {
    package let zone: ZoneID
    package let genesis: Genesis
    let bounds: LedgerBounds
    /// In the order in which they came, genesis first.
    package private(set) var records: [LedgerRecord] = []
    private(set) var links: [Link] = []
    private(set) var lanes: [Lane] = []
    private(set) var members: [Member] = []
    /// The valid Removes, by record.
    private(set) var removes: [Int] = []
    /// First lanes' Enters with a ticket, by record.
    private(set) var claims: [Int] = []

    private var numbers: [RecordHash: Int] = [:]
    private var laneNumbers: [LaneKey: Int] = [:]
    private var memberNumbers: [MemberID: Int] = [:]
    /// Records whose `prev` is not held, keyed by it.
    private var waiting: [RecordHash: [Int]] = [:]

    /// How a record stands in the set.
    struct Link: Sendable {
        /// Nil for what a person signs, and while `prev` is not held.
        var lane: Int?
        /// The record that it follows; nil for an Enter.
        var parent: Int?
        /// Records between it and its Enter, plus one; zero for an Enter.
        var depth = 0
        let kind: LedgerKind?
        /// The member that a Word, Suspend or Remove is about.
        var subject: Int?
    }

    /// A lane that an Enter, or somebody's fresh start or removal, names.
    struct Lane: Sendable {
        let key: LaneKey
        let member: Int
        /// Its Enters, the lowest hash first.
        var enters: [Entrance] = []
        /// All its records, by (depth, hash).
        var records: [Int] = []
        /// The lanes that say, by its endorsement, that they are fresh starts of this one.
        var successors: [Int] = []
    }

    struct Entrance: Sendable {
        let record: Int
        let by: Door
        /// The lane that the device had before a fresh start; nil if none, or if that lane does not endorse this one.
        let succeeds: Int?

        enum Door: Sendable {
            case person
            case lane(Int)
            /// By a ticket, or as the founder.
            case first
        }
    }

    struct Member: Sendable {
        let id: MemberID
        var lanes: [Int] = []
    }

    /// The set with a genesis alone; nil for a record of another kind.
    package init?(genesis record: LedgerRecord, bounds: LedgerBounds = LedgerBounds()) {
        guard case .genesis(let genesis) = record.act else { return nil }
        zone = record.home
        self.genesis = genesis
        self.bounds = bounds
        let owner = genesis.owner
        records = [record]
        links = [Link(kind: .genesis)]
        numbers[record.hash] = 0
        _ = number(of: owner)
    }

    package var isAccount: Bool { genesis.isAccount }

    /// The number of genesis' member.
    var owner: Int { 0 }

    package func contains(_ hash: RecordHash) -> Bool { numbers[hash] != nil }

    func number(of hash: RecordHash) -> Int? { numbers[hash] }

    func number(of lane: LaneKey) -> Int? { laneNumbers[lane] }

    package subscript(hash: RecordHash) -> LedgerRecord? { numbers[hash].map { records[$0] } }

    /// The missing records that held ones follow; those held ones are therefore not judged.
    package var missing: [RecordHash] { waiting.keys.filter { numbers[$0] == nil }.sorted() }

    /// Adds a record of the zone. False if it was there, or belongs to another zone.
    @discardableResult
    package mutating func insert(_ record: LedgerRecord) -> Bool {
        guard numbers[record.hash] == nil, record.zone == zone else { return false }
        let new = records.count
        numbers[record.hash] = new
        records.append(record)
        links.append(Link(kind: LedgerKind(rawValue: record.act.kind)))
        switch record.act {
        case .enter(let enter): attach(new, enter, of: record)
        case .remove(let remove):
            let member = MemberID(person: PersonID(record.signer), firstLane: remove.firstLane)
            guard !isAccount || member == members[owner].id else { break }
            links[new].subject = number(of: member)
            for lane in remove.lanes {
                for isReplica in [false, true] {
                    _ = number(adding: LaneKey(lane, of: member, isReplica: isReplica))
                }
            }
            removes.append(new)
        case .word(let word): links[new].subject = number(of: word.member)
        case .suspend(let member): links[new].subject = number(of: member)
        default: break
        }
        if !record.act.standsAlone { follow(new) }
        return true
    }

    /// The set with these records, as if those that they follow were held: only to decide whether to talk to the peer
    /// that shows them.
    package func assuming(_ shown: [LedgerRecord]) -> LedgerSet {
        var set = self
        for record in shown where record.isEnter { set.insert(record) }
        for record in shown where set.insert(record) && !record.act.standsAlone {
            set.followLoosely(set.records.count - 1)
        }
        return set
    }

    // MARK: Linking

    /// Puts a record that waits right behind the Enter of its lane.
    private mutating func followLoosely(_ record: Int) {
        guard links[record].lane == nil,
            let lane = lanes.firstIndex(where: { $0.key.lane == records[record].lane && !$0.enters.isEmpty })
        else { return }
        place(record, in: lane, below: lanes[lane].enters[0].record)
        release(record)
    }

    private mutating func attach(_ new: Int, _ enter: Enter, of record: LedgerRecord) {
        let member = enter.member
        guard !isAccount || member == members[owner].id else { return }
        let lane = number(adding: LaneKey(record.lane, of: member, isReplica: enter.isReplica))
        var door = Entrance.Door.first
        var succeeds: Int?
        switch enter.entrance {
        case .person: door = .person
        case .lane(let endorser, _):
            let up = number(adding: LaneKey(endorser, of: member))
            door = .lane(up)
            if enter.succeeds == endorser, up != lane { succeeds = up }
        case .ticket:
            guard record.lane == enter.firstLane else { return }
            claims.append(new)
        case .founder:
            guard record.lane == enter.firstLane else { return }
        }
        let entrance = Entrance(record: new, by: door, succeeds: succeeds)
        let index = lanes[lane].enters.firstIndex { record.hash < records[$0.record].hash } ?? lanes[lane].enters.count
        lanes[lane].enters.insert(entrance, at: index)
        if let succeeds { lanes[succeeds].successors.append(lane) }
        place(new, in: lane, below: nil)
        release(new)
    }

    /// Puts a record behind the one that it follows, or lets it wait for that one.
    private mutating func follow(_ new: Int) {
        guard let parent = numbers[records[new].prev] else {
            waiting[records[new].prev, default: []].append(new)
            return
        }
        guard let lane = links[parent].lane else {
            // The parent waits itself, or is what a person signed, which nothing follows.
            waiting[records[new].prev, default: []].append(new)
            return
        }
        guard lanes[lane].key.lane == records[new].lane else { return }
        place(new, in: lane, below: parent)
        release(new)
    }

    /// Places the records that waited for a record; each is released once.
    private mutating func release(_ record: Int) {
        var work = [record]
        while let parent = work.popLast() {
            for child in waiting.removeValue(forKey: records[parent].hash) ?? [] {
                guard let lane = links[parent].lane, lanes[lane].key.lane == records[child].lane else { continue }
                place(child, in: lane, below: parent)
                work.append(child)
            }
        }
    }

    private mutating func place(_ record: Int, in lane: Int, below parent: Int?) {
        links[record].lane = lane
        links[record].parent = parent
        links[record].depth = parent.map { links[$0].depth + 1 } ?? 0
        let key = (links[record].depth, records[record].hash)
        let place = lanes[lane].records.partitioningIndex { (links[$0].depth, records[$0].hash) >= key }
        lanes[lane].records.insert(record, at: place)
    }

    private mutating func number(of member: MemberID) -> Int {
        if let known = memberNumbers[member] { return known }
        memberNumbers[member] = members.count
        members.append(Member(id: member))
        return members.count - 1
    }

    private mutating func number(adding key: LaneKey) -> Int {
        if let known = laneNumbers[key] { return known }
        let member = number(of: key.member)
        laneNumbers[key] = lanes.count
        members[member].lanes.append(lanes.count)
        lanes.append(Lane(key: key, member: member))
        return lanes.count - 1
    }

    func number(known member: MemberID) -> Int? { memberNumbers[member] }
}

extension LedgerRecord {
    package var isEnter: Bool { if case .enter = act { true } else { false } }
    package var isInvite: Bool { if case .invite = act { true } else { false } }
}

extension Genesis {
    package var isAccount: Bool { if case .account = self { true } else { false } }

    /// The member for whom genesis speaks.
    package var owner: MemberID {
        switch self {
        case .account(let identity, _): MemberID(person: identity, firstLane: .zero)
        case .group(let group): MemberID(person: group.person, firstLane: group.firstLane)
        }
    }
}
