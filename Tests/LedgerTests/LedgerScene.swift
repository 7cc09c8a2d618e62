import Ledger
import NodeCore

/// A zone whose keys have names: equal names are equal keys. Records carry real signatures.
struct LedgerScene {
    let zone: ZoneID
    let genesis: LedgerRecord
    private(set) var set: LedgerSet
    private var tips: [String: RecordHash] = [:]
    /// Persons and first lanes, by lane.
    private var members: [String: (person: String, first: String)] = [:]

    static func key(_ name: String) -> Ed25519.KeyPair {
        Ed25519.KeyPair(seed: Secret(bytes: Blake2b.hash32(Array(name.utf8), domain: "test").bytes))
    }

    static func lane(_ name: String) -> LaneID { LaneID(key(name).publicKey) }
    static func person(_ name: String) -> PersonID { PersonID(key(name).publicKey) }

    static let root = RootCommitment(
        replication: Blake2b.hash32([1], domain: "test"), reading: Blake2b.hash32([2], domain: "test"))

    /// A group of person "P" with the first lane "o".
    static func group() -> LedgerScene {
        var scene = LedgerScene(
            signer: "o",
            .group(GroupGenesis(person: person("P"), firstLane: lane("o"), memberLimit: 500, root: root)))
        scene.enter("o", person: "P", first: "o", .founder)
        return scene
    }

    /// The account of identity "I"; its first device is "a".
    static func account() -> LedgerScene {
        var scene = LedgerScene(
            signer: "I", .account(identity: person("I"), sealKey: Blake2b.hash32([3], domain: "test")))
        scene.enter("a", person: "I", first: nil, .person)
        return scene
    }

    private init(signer: String, _ genesis: Genesis) {
        let key = Self.key(signer)
        self.genesis = LedgerRecord(
            zone: .zero, signer: key.publicKey, prev: .zero, act: .genesis(genesis), sign: key.sign)
        zone = self.genesis.home
        guard let set = LedgerSet(genesis: self.genesis) else { preconditionFailure("a genesis begins a set") }
        self.set = set
    }

    var state: LedgerState { LedgerState(self.set) }
    var records: [LedgerRecord] { self.set.records }

    func member(_ lane: String) -> MemberID {
        guard let (person, first) = members[lane] else { preconditionFailure("\(lane) has not entered") }
        return Self.member(person, first)
    }

    static func member(_ person: String, _ first: String) -> MemberID {
        MemberID(person: Self.person(person), firstLane: first.isEmpty ? .zero : lane(first))
    }

    func key(_ lane: String) -> LaneKey { LaneKey(Self.lane(lane), of: member(lane)) }

    enum Way {
        case founder, person
        case lane(String)
        case ticket(LedgerRecord, Int, key: String)
    }

    // MARK: Writing

    @discardableResult
    mutating func enter(
        _ name: String, person: String, first: String?, _ way: Way, succeeds: String? = nil,
        endorsedAs other: String? = nil, isReplica: Bool = false
    ) -> LedgerRecord {
        let owner = Self.person(person)
        let firstLane = first.map(Self.lane) ?? .zero
        let member = MemberID(person: owner, firstLane: firstLane)
        let sealKey = Blake2b.hash32(Array(name.utf8), domain: "seal")
        let older = succeeds.map(Self.lane) ?? .zero
        let message = Enter.endorsed(
            lane: Self.lane(other ?? name), member: member, isReplica: isReplica, sealKey: sealKey, succeeds: older,
            zone: zone)
        let entrance: Enter.Entrance
        switch way {
        case .founder: entrance = .founder
        case .person: entrance = .person(Self.key(person).sign(message))
        case .lane(let up): entrance = .lane(Self.lane(up), Self.key(up).sign(message))
        case .ticket(let invite, let index, let key):
            let ticket = TicketID(invite: invite.hash, index: UInt8(index))
            let pair = Self.key(key)
            entrance = .ticket(
                ticket, key: pair.publicKey,
                proof: pair.sign(Enter.claimed(ticket: ticket, member: member, zone: zone)))
        }
        let act = LedgerAct.enter(
            Enter(
                person: owner, firstLane: firstLane, isReplica: isReplica, sealKey: sealKey, entrance: entrance,
                succeeds: older))
        let record = make(name, prev: .zero, act)
        set.insert(record)
        tips[name] = record.hash
        members[name] = (person, first ?? "")
        return record
    }

    /// A record of a lane, after its last one or after `prev`.
    @discardableResult
    mutating func write(_ name: String, _ act: LedgerAct, after prev: RecordHash? = nil) -> LedgerRecord {
        let record = make(name, prev: prev ?? tips[name] ?? .zero, act)
        set.insert(record)
        tips[name] = record.hash
        return record
    }

    @discardableResult
    mutating func remove(
        _ lanes: String..., by person: String, heads: [LedgerRecord] = [], children: [LedgerRecord] = []
    ) -> LedgerRecord {
        let first = members[lanes[0]].map { $0.first.isEmpty ? LaneID.zero : Self.lane($0.first) } ?? .zero
        let record = make(
            person, prev: .zero,
            .remove(
                Remove(
                    firstLane: first, lanes: lanes.map(Self.lane), heads: heads.map(\.hash),
                    children: children.map(\.hash))))
        set.insert(record)
        return record
    }

    @discardableResult
    mutating func invite(_ lane: String, _ role: Role = .member, keys: [String]) -> LedgerRecord {
        write(
            lane,
            .invite(
                Invite(
                    role: role, expires: WallTime(milliseconds: 0), keys: keys.map { Self.key($0).publicKey })))
    }

    @discardableResult
    mutating func word(
        _ lane: String, on member: MemberID, _ role: Role, revision: UInt64 = 2, keep: Role = .none,
        heads: [LedgerRecord] = [], ticket: Word.UsedTicket? = nil
    ) -> LedgerRecord {
        write(
            lane,
            .word(
                Word(
                    member: member, role: role, revision: revision, ticket: ticket, keep: keep,
                    heads: heads.map(\.hash))))
    }

    func make(_ name: String, prev: RecordHash, _ act: LedgerAct) -> LedgerRecord {
        let key = Self.key(name)
        return LedgerRecord(zone: zone, signer: key.publicKey, prev: prev, act: act, sign: key.sign)
    }

    mutating func insert(_ record: LedgerRecord) { set.insert(record) }
}
