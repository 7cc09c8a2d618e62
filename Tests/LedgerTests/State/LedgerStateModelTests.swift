import JSONLines
import Ledger
import NodeCore
import ProcessHarness
import TestScale
import Testing

/// Compares the state with `docs/models/ledger.py`: random histories of accounts and groups, with thieves, at several
/// of their subsets.
@Suite struct LedgerStateModelTests {
    private static let model =
        "\(#filePath)".split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        + "/docs/models/ledger.py"
    private static let hasPython = (try? Command("python3", ["-c", "pass"]).run().status.isSuccess) == true

    @Test(
        .enabled(if: hasPython, "needs python3"),
        arguments: TestScale.seeds("LEDGERS", usual: 24, proof: 4_000, onceFailed: [57, 223, 231, 1079]))
    func theStateIsTheModels(seeds: [UInt64]) throws {
        for seed in seeds {
            let result = try Command("python3", ["-B", Self.model, "1", "--export", "--seed", "\(seed)"]).run()
            for line in result.output.split(separator: "\n") {
                let json = try #require(JSONValue(json: Array(line.utf8), limit: 1 << 24))
                try ModelHistory(json).check()
            }
        }
    }
}

/// One history of the model. Its ids stand for hashes, and sort like them.
struct ModelHistory {
    private let json: JSONValue
    private let bounds: LedgerBounds
    private let records: [String: JSONValue]
    private let genesis: JSONValue

    init(_ json: JSONValue) throws {
        self.json = json
        var bounds = LedgerBounds()
        func bound(_ name: String) throws -> Int { Int(try #require(json["bounds"]?[name]?.integer)) }
        bounds.ownerLanes = try bound("ownerLanes")
        bounds.memberLanes = try bound("memberLanes")
        let most = try bound("records")
        (bounds.accountRecords, bounds.ownerRecords, bounds.memberRecords) = (most, most, most)
        bounds.tickets = try bound("tickets")
        bounds.adminTickets = try bound("adminTickets")
        bounds.depth = try bound("depth")
        bounds.removes = try bound("removes")
        bounds.returns = try bound("returns")
        bounds.returnedCovers = try bound("covers")
        bounds.behindCover = try bound("behind")
        let all = try #require(json["records"]).elements
        var names: [MemberID: String] = [:]
        for record in all {
            if let member = record["member"]?.text { names[Self.member(member)] = member }
        }
        let known = names
        bounds.lot = { ticket, member in
            let text = "\(Self.id(of: ticket.invite))/\(ticket.index)/\(known[member] ?? "?")"
            return Blake2b.hash32(Array(text.utf8))
        }
        self.bounds = bounds
        records = Dictionary(all.compactMap { record in record["id"]?.text.map { ($0, record) } }) { $1 }
        genesis = try #require(all.first { $0["kind"]?.text == "genesis" })
    }

    private var seed: Int64 { json["seed"]?.integer ?? -1 }
    private var isAccount: Bool { genesis["account"]?.boolean ?? false }
    private var genesisID: String { genesis["id"]?.text ?? "" }

    // MARK: The model's names as ours

    private static func bytes(_ text: String) -> Bytes32 {
        let bytes = Array(text.utf8.prefix(32))
        return Bytes32(bytes: bytes + [UInt8](repeating: 0, count: 32 - bytes.count)) ?? .zero
    }

    private static func member(_ text: String) -> MemberID {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return MemberID(person: PersonID(bytes(parts[0])), firstLane: LaneID(bytes(parts.count > 1 ? parts[1] : "")))
    }

    private static func id(of hash: RecordHash) -> String { String(hash.hex.prefix(12)) }

    private func hash(_ id: String) -> RecordHash {
        let id = id == "0" ? genesisID : id
        let bytes = (Hex.decode(id) ?? []) + [UInt8](repeating: 0, count: 26)
        return RecordHash(bytes: bytes) ?? .zero
    }

    private func hashes(_ value: JSONValue?) -> [RecordHash] { (value?.elements ?? []).compactMap(\.text).map(hash) }

    private func key(_ lane: JSONValue) -> LaneKey {
        LaneKey(
            LaneID(Self.bytes(lane["key"]?.text ?? "")), of: Self.member(lane["member"]?.text ?? ""),
            isReplica: lane["replica"]?.boolean ?? false)
    }

    // MARK: Records

    private static let rows: Set = ["post", "game"]

    private func isRow(_ record: JSONValue) -> Bool { Self.rows.contains(record["kind"]?.text ?? "") }

    /// The path from a row back to its Enter, itself first; nil if part of it is not held.
    private func way(_ id: String, _ held: Set<String>) -> [String]? {
        var way: [String] = []
        var next = id
        while held.contains(next), let record = records[next], record["signed"]?.boolean == true {
            way.append(next)
            if record["kind"]?.text == "enter" { return isEntered(record) ? way : nil }
            guard let prev = record["prev"]?.text, let before = records[prev], before["key"] == record["key"],
                isRow(record), isRow(before) || before["kind"]?.text == "enter"
            else { return nil }
            next = prev
        }
        return nil
    }

    private func isEntered(_ record: JSONValue) -> Bool {
        !isAccount || record["member"]?.text == genesis["member"]?.text
    }

    /// Heads, and the Enters to which rows among them lead, since the ledger knows no rows.
    private func heads(_ record: JSONValue, _ held: Set<String>) -> [RecordHash] {
        let heads = (record["heads"]?.elements ?? []).compactMap(\.text)
        let enters = heads.filter { records[$0].map(isRow) ?? false }.compactMap { way($0, held)?.last }
        return Set(heads + enters).map(hash)
    }

    private func make(_ id: String, _ held: Set<String>) throws -> LedgerRecord? {
        guard let record = records[id], record["signed"]?.boolean == true, !isRow(record) else { return nil }
        let kind = record["kind"]?.text ?? ""
        let zone = ZoneID(hash(genesisID).storage)
        func member() -> MemberID { Self.member(record["member"]?.text ?? "") }
        func number(_ name: String) -> UInt64 { UInt64(clamping: record[name]?.integer ?? 0) }
        func role(_ name: String) throws -> Role { try #require(Role(rawValue: UInt8(number(name)))) }
        let act: LedgerAct
        switch kind {
        case "enter":
            act = .enter(enter(record))
        case "remove":
            let parts = (record["member"]?.text ?? "").split(separator: "/", omittingEmptySubsequences: false)
            // Signed by a person of another member, it names a member that does not exist.
            let first = LaneID(Self.bytes(parts.count > 1 ? String(parts[1]) : ""))
            guard String(parts[0]) == record["key"]?.text else { return nil }
            act = .remove(
                Remove(
                    firstLane: first,
                    lanes: (record["lanes"]?.elements ?? []).compactMap(\.text).map { LaneID(Self.bytes($0)) },
                    heads: heads(record, held), stays: hashes(record["stays"]).map { BlobHash($0.storage) },
                    children: hashes(record["children"])))
        case "rotate":
            let commitment = RootCommitment(replication: .zero, reading: .zero)
            act = .rotate(
                Rotate(
                    number: number("number"), root: commitment, covers: hashes(record["covers"]),
                    tips: hashes(record["tips"]).map { Rotate.Tip(rotate: $0, sealedRoot: []) }))
        case "seal":
            act = .seal(
                Seal(rotate: hash(record["rotate"]?.text ?? ""), ephemeral: .zero, entries: []))
        case "unopened": act = .unopened(hashes(record["seals"]))
        case "leave": act = .leave
        case "end": act = .end(LaneID(Self.bytes(record["lane"]?.text ?? "")))
        case "invite":
            act = .invite(
                Invite(
                    role: try role("role"), expires: WallTime(milliseconds: 0),
                    keys: (record["keys"]?.elements ?? []).compactMap(\.text).map(Self.bytes)))
        case "revoke":
            let stays = (record["names"]?.elements ?? []).map { name in
                Revoke.Stay(
                    index: UInt8(name.elements[0].integer ?? 0), member: Self.member(name.elements[1].text ?? ""))
            }
            act = .revoke(Revoke(invite: hash(record["invite"]?.text ?? ""), stays: stays))
        case "word":
            let ticket = record["ticket"]?.elements ?? []
            act = .word(
                Word(
                    member: member(), role: try role("role"), revision: number("revision"),
                    ticket: ticket.isEmpty
                        ? nil
                        : .init(
                            issuer: Self.member(ticket[0].text ?? ""),
                            ticket: TicketID(
                                invite: hash(ticket[1].text ?? ""), index: UInt8(ticket[2].integer ?? 0))),
                    keep: try role("keep"), heads: heads(record, held)))
        case "title": act = .title(Title(revision: number("revision"), sealed: []))
        case "suspend": act = .suspend(member())
        case "unsuspend": act = .unsuspend(hash(record["suspension"]?.text ?? ""))
        case "offer": act = .offer(Offer(group: ZoneID(hash("0").storage), tickets: []))
        case "close":
            // Either alone cannot be encoded; to the model it names no successor.
            var successor: Close.Successor?
            if let founder = record["founder"]?.text, let group = record["group"]?.text {
                successor = Close.Successor(group: ZoneID(Self.bytes(group)), founder: Self.member(founder))
            }
            act = .close(Close(heads: heads(record, held), successor: successor))
        default: throw Unknown(kind: kind)
        }
        let prev = act.standsFirst ? RecordHash.zero : hash(record["prev"]?.text ?? "")
        return LedgerRecord(
            hash: hash(id), zone: zone, signer: Self.bytes(record["key"]?.text ?? ""), prev: prev, act: act,
            signature: [])
    }

    private struct Unknown: Error { let kind: String }

    private func enter(_ record: JSONValue) -> Enter {
        let parts = (record["member"]?.text ?? "").split(separator: "/", omittingEmptySubsequences: false)
        let person = PersonID(Self.bytes(String(parts[0])))
        let firstLane = LaneID(Self.bytes(parts.count > 1 ? String(parts[1]) : ""))
        let isFirst = record["key"]?.text == (parts.count > 1 ? String(parts[1]) : "")
        let ticket = record["ticket"]?.elements ?? []
        let entrance: Enter.Entrance
        switch (record["endorsed"]?.boolean, record["endorser"]?.text) {
        case (true?, let endorser?): entrance = .lane(LaneID(Self.bytes(endorser)), [])
        case (true?, nil): entrance = .person([])
        default:
            if !isFirst {
                // Nobody who could stand endorsed it.
                entrance = .lane(LaneID(Self.bytes("nobody")), [])
            } else if ticket.isEmpty {
                entrance = .founder
            } else {
                let proof = record["proof"]?.elements ?? []
                // A proof that does not fit is no entrance: as a false founder, the record does not count.
                guard proof.count == 3, proof[1].text == ticket[0].text, proof[2].text == record["member"]?.text else {
                    entrance = .founder
                    break
                }
                entrance = .ticket(
                    TicketID(invite: hash(ticket[0].text ?? ""), index: UInt8(ticket[1].integer ?? 0)),
                    key: Self.bytes(proof[0].text ?? ""), proof: [])
            }
        }
        return Enter(
            person: person, firstLane: firstLane, isReplica: record["replica"]?.boolean ?? false, sealKey: .zero,
            entrance: entrance, succeeds: record["succeeds"]?.text.map { LaneID(Self.bytes($0)) } ?? .zero)
    }

    private func genesisRecord() -> LedgerRecord {
        let member = (genesis["member"]?.text ?? "").split(separator: "/", omittingEmptySubsequences: false)
        let person = PersonID(Self.bytes(String(member[0])))
        let act: LedgerAct =
            isAccount
            ? .genesis(.account(identity: person, sealKey: .zero))
            : .genesis(
                .group(
                    GroupGenesis(
                        person: person, firstLane: LaneID(Self.bytes(String(member[1]))), memberLimit: 0,
                        root: RootCommitment(replication: .zero, reading: .zero))))
        return LedgerRecord(
            hash: hash(genesisID), zone: .zero, signer: person.storage, prev: .zero, act: act, signature: [])
    }

    // MARK: Checking

    func check() throws {
        for (number, expected) in (json["states"]?.elements ?? []).enumerated() {
            let held = Set((expected["records"]?.elements ?? []).compactMap(\.text))
            // Both directions are tried, since the order in which records come means nothing.
            for ids in [held.sorted(), held.sorted().reversed()] {
                var set = try #require(LedgerSet(genesis: genesisRecord(), bounds: bounds))
                for id in ids where id != genesisID {
                    if let record = try make(id, held) { set.insert(record) }
                }
                check(LedgerState(set), expected, held, "seed \(seed), state \(number)")
            }
        }
    }

    private func check(_ state: LedgerState, _ expected: JSONValue, _ held: Set<String>, _ at: String) {
        func lanes(_ name: String) -> Set<LaneKey> { Set((expected[name]?.elements ?? []).map(key)) }
        func ids(_ name: String) -> Set<String> { Set((expected[name]?.elements ?? []).compactMap(\.text)) }
        func members(_ name: String) -> Set<MemberID> { Set(ids(name).map(Self.member)) }
        #expect(Set(state.standingLanes) == lanes("standing"), "\(at): standing")
        for lane in lanes("lapsed") { #expect(state.standing(of: lane) == .lapsed, "\(at): lapsed \(lane)") }
        for lane in lanes("removed") { #expect(state.standing(of: lane) == .removed, "\(at): removed \(lane)") }
        for lane in lanes("leftLanes") where isAccount {
            #expect([.left, .removed].contains(state.standing(of: lane)), "\(at): left \(lane)")
        }
        let roles = Dictionary(
            uniqueKeysWithValues: (expected["members"].flatMap(Self.fields) ?? [:]).map { member, role in
                (Self.member(member), Role(rawValue: UInt8(role.integer ?? 0)) ?? .none)
            })
        #expect(state.members == roles, "\(at): members")
        for member in members("dismissed") { #expect(state.isDismissed(member), "\(at): dismissed") }
        for member in members("left") { #expect(state.hasLeft(member), "\(at): left") }
        let everybody = Set(records.values.compactMap { $0["member"]?.text }.map(Self.member))
        #expect(Set(everybody.filter(state.isSuspended)) == members("suspended"), "\(at): suspended")
        let last = expected["successor"]?.text.flatMap { records[$0] }
        #expect(state.successor?.founder == last?["founder"]?.text.map(Self.member), "\(at): successor")
        #expect(state.isClosed == (expected["closed"]?.boolean ?? false), "\(at): closed")
        check(counting: ids("counting"), state, held, at)
        let stored = Set(state.held.map(Self.id(of:)))
        let rows = Set(held.filter { records[$0].map(isRow) ?? false })
        let wanted = ids("stored").subtracting(rows)
        #expect(
            stored == wanted, "\(at): stored, more \(stored.subtracting(wanted)), less \(wanted.subtracting(stored))")
        #expect(Set(state.covers.map(Self.id(of:))) == ids("gone"), "\(at): gone")
        let rotates = Set(ids("rotates").map { $0 == "0" ? genesisID : $0 })
        #expect(Set(state.rotates.keys.map(Self.id(of:))) == rotates, "\(at): rotates")
        #expect(Set(state.returned.map(Self.id(of:))) == ids("returned"), "\(at): returned")
        for roots in expected["roots"]?.elements ?? [] {
            let held = Set(hashes(roots["held"]) + [hash("0")])
            #expect(Set(state.tips(held: held)) == Set(hashes(roots["tips"])), "\(at): tips")
            #expect(state.newestRoot(held: held) == roots["newest"]?.text.map(hash), "\(at): newest")
            #expect(state.isRotationDue(held: held) == roots["due"]?.boolean, "\(at): due")
        }
    }

    private func check(counting: Set<String>, _ state: LedgerState, _ held: Set<String>, _ at: String) {
        for id in held.sorted() {
            guard let record = records[id], record["signed"]?.boolean == true else { continue }
            if isRow(record) {
                #expect(counts(row: id, state, held) == counting.contains(id), "\(at): row \(id)")
            } else if record["kind"]?.text != "remove" || state.why(hash(id)) != .unknown {
                let verdict = state.why(hash(id))
                // The model counts what the owner says even if it has no effect.
                let counts = verdict == .counts || verdict == .notOpen && isOwners(record)
                // In an account, Removes signed by others are foreign to this zone.
                guard verdict != .foreign || !isAccount else { continue }
                #expect(counts == counting.contains(id), "\(at): \(id) \(verdict)")
            }
        }
    }

    private func isOwners(_ record: JSONValue) -> Bool {
        var record = record
        while record["kind"]?.text != "enter" {
            guard let next = record["prev"]?.text.flatMap({ records[$0] }) else { return false }
            record = next
        }
        return record["member"]?.text == genesis["member"]?.text
    }

    private func counts(row id: String, _ state: LedgerState, _ held: Set<String>) -> Bool {
        guard let way = way(id, held), let enter = way.last.flatMap({ records[$0] }) else { return false }
        let lane = LaneKey(
            LaneID(Self.bytes(enter["key"]?.text ?? "")), of: Self.member(enter["member"]?.text ?? ""),
            isReplica: enter["replica"]?.boolean ?? false)
        let isGame = records[id]?["kind"]?.text == "game"
        if isAccount, isGame { return false }
        switch state.rows(of: lane, needing: isGame ? .admin : .member) {
        case .none: return false
        case .all: return true
        case .listed(let blobs): return blobs.contains(BlobHash(hash(id).storage))
        case .behind(let each):
            return each.allSatisfy { heads in
                heads.contains { self.way(Self.id(of: $0), held)?.contains(id) ?? false }
            }
        }
    }

    private static func fields(_ value: JSONValue) -> [String: JSONValue]? {
        if case .object(let fields) = value { fields } else { nil }
    }
}

extension LedgerAct {
    fileprivate var standsFirst: Bool {
        switch self {
        case .genesis, .enter, .remove: true
        default: false
        }
    }
}
