import Ledger
import Node
import NodeCore
import ProcessHarness
import SyncState

/// The cost of a group's ledger whose owner has written a long history.
struct LedgerRow {
    private static let records = 10_000
    private static let members = 200
    private static let runs = 21

    func measure() throws -> [Figure] {
        let history = try Self.history()
        let bytes = history.map(\.encoded)
        var (reading, judging, adding, taking): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for _ in 0..<Self.runs {
            let linking = Stopwatch()
            // Their signatures were checked before they were stored.
            let read = try bytes.dropLast().map { try LedgerRecord(encoded: $0, verified: true) }
            guard var set = LedgerSet(genesis: read[0]) else { throw BenchError("no ledger") }
            for record in read.dropFirst() { set.insert(record) }
            reading.append(linking.milliseconds)
            let judgement = Stopwatch()
            var state: LedgerState? = LedgerState(set)
            judging.append(judgement.milliseconds)
            // The set is not shared then, as in a node that takes the next state for the last one.
            state = nil
            let insertion = Stopwatch()
            set.insert(history[history.count - 1])
            state = LedgerState(set)
            adding.append(insertion.milliseconds)
            guard state?.members.count == Self.members + 1 else { throw BenchError("a member is missing") }
            taking.append(try Self.take(history[history.count - 1], after: history.dropLast()))
        }
        return [
            Figure("ledger", "reading \(Self.records) control records", reading.median, "ms"),
            Figure("ledger", "judging \(Self.records) control records", judging.median, "ms", goal: .atMost(100)),
            Figure("ledger", "one more", adding.median, "ms", goal: .atMost(1)),
            Figure("ledger", "taking one more into the store", taking.median, "ms"),
        ]
    }

    /// A node's work on a record: judging whether to store it, storing it, and following it.
    ///
    /// - Returns: milliseconds.
    private static func take(_ record: LedgerRecord, after history: ArraySlice<LedgerRecord>) throws -> Double {
        let database = try Database(path: ":memory:")
        // Makes the table.
        _ = try ZoneLedger(database: database, genesis: history[0])
        let put = try database.prepare("INSERT INTO ledger(hash, record, at, sum) VALUES(?, ?, 1, ?)")
        try database.begin()
        for record in history.dropFirst() {
            put.bind(1, record.hash.bytes)
            put.bind(2, record.encoded)
            put.bind(3, ZoneLedger.sum(of: record.encoded).bytes)
            try put.run()
        }
        try database.commit()
        let ledger = try ZoneLedger(database: database, genesis: history[0])
        _ = ledger.digest
        let time = Stopwatch()
        try ledger.take(own: record)
        _ = ledger.digest
        let milliseconds = time.milliseconds
        guard ledger.arrivals.count == 1 else { throw BenchError("the record was refused") }
        return milliseconds
    }

    /// A group whose members came by tickets, and whose owner and members have said many things since. Nobody checks
    /// these signatures: they are empty.
    private static func history() throws -> [LedgerRecord] {
        var random = SeededRandom(seed: 1)
        var records: [LedgerRecord] = []
        func write(_ zone: ZoneID, _ lane: LaneID, _ prev: RecordHash, _ act: LedgerAct) -> RecordHash {
            let record = LedgerRecord(zone: zone, signer: lane.storage, prev: prev, act: act) { _ in
                [UInt8](repeating: 0, count: Ed25519.signatureBytes)
            }
            records.append(record)
            return record.hash
        }
        func enter(_ person: PersonID, _ lane: LaneID, _ entrance: Enter.Entrance) -> Enter {
            Enter(person: person, firstLane: lane, sealKey: lane.storage, entrance: entrance)
        }
        let (person, owner) = (random.identifier(PersonID.self), random.identifier(LaneID.self))
        let root = RootCommitment(replication: random.identifier(), reading: random.identifier())
        let genesis = GroupGenesis(person: person, firstLane: owner, memberLimit: 500, root: root)
        let zone = ZoneID(write(.zero, owner, .zero, .genesis(.group(genesis))).storage)
        var tip = write(zone, owner, .zero, .enter(enter(person, owner, .founder)))
        var members: [(lane: LaneID, id: MemberID, tip: RecordHash)] = []
        while members.count < Self.members {
            let keys = (0..<50).map { _ in random.identifier(Bytes32.self) }
            tip = write(
                zone, owner, tip, .invite(Invite(role: .member, expires: WallTime(milliseconds: 0), keys: keys)))
            for (index, key) in keys.enumerated() {
                let lane: LaneID = random.identifier()
                let ticket = TicketID(invite: tip, index: UInt8(index))
                let proof = [UInt8](repeating: 0, count: Ed25519.signatureBytes)
                let entered = enter(random.identifier(), lane, .ticket(ticket, key: key, proof: proof))
                members.append((lane, entered.member, write(zone, lane, .zero, .enter(entered))))
            }
        }
        var number = 0
        while records.count <= Self.records {
            let index = Int(random.next() % UInt64(members.count))
            switch number % 4 {
            case 0:
                let word = Word(
                    member: members[index].id, role: .member, revision: UInt64(number) + 2, keep: .none,
                    heads: [members[index].tip])
                tip = write(zone, owner, tip, .word(word))
            case 1: tip = write(zone, owner, tip, .title(Title(revision: UInt64(number), sealed: [])))
            case 2:
                let seal = Seal(rotate: RecordHash(zone.storage), ephemeral: .zero, entries: [])
                members[index].tip = write(zone, members[index].lane, members[index].tip, .seal(seal))
            default:
                let other = members[(index + 1) % members.count].id
                members[index].tip = write(zone, members[index].lane, members[index].tip, .suspend(other))
            }
            number += 1
        }
        return records
    }
}
