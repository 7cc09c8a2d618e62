import ChatTestKit
import Ledger
import NodeCore
import Testing
import VectorPages

@testable import Chat
@testable import Gossip
@testable import SyncState

/// Inputs that the other sections use and do not show, hashes that decide between values, and a page of which a part is
/// refused.
extension MessageVectorTests {
    func addInputs(_ page: inout VectorPage) {
        var random = CountingRandom()
        page.section("inputs")
        page.add("nonce of each meta", random.bytes(24))
        random = CountingRandom(from: 100)
        page.add("nonce of each blob", random.bytes(24))
        page.add("payload of the opaque record", [1, 2, 3])
        random = CountingRandom()
        page.add("beacon: id", [UInt8](repeating: 1, count: 16))
        page.add("beacon: counter", text: "7")
        page.add("beacon: port", text: "4001")
        page.add("beacon: the other two entries", random.bytes(32))
        page.add("hello: instance", Bytes16(11, 12).bytes)
        page.add("hello: digest", Bytes16(9, 10).bytes)
        page.add("hello: port", text: "4001")
        page.add("hello: versions", text: "3")
    }

    func addHashes(_ page: inout VectorPage) {
        page.section("hashes")
        for (number, fact) in Self.facts.enumerated() {
            page.add("chain fact \(number + 1), value", fact.valueHash.bytes)
        }
        for (number, message) in Self.messages.enumerated() {
            page.add("message \(number + 1) of the segment, canonical content", message.contentHash.bytes)
        }
    }

    /// Adds the types that concern groups and games.
    func addLaterTypes(_ page: inout VectorPage) throws {
        let founder = Ed25519.KeyPair(seed: Secret(bytes: [UInt8](repeating: 0x66, count: 32)))
        let root = Secret(bytes: [UInt8](repeating: 0x77, count: 32))
        let genesis = LedgerRecord(
            zone: .zero, signer: founder.publicKey, prev: .zero,
            act: .genesis(
                .group(
                    GroupGenesis(
                        person: PersonID(signer.person(0).publicKey), firstLane: LaneID(founder.publicKey),
                        memberLimit: 500, root: ZoneRoot.commitment(to: root)))), sign: founder.sign)
        let member = GroupMembership.Member(
            person: PersonID(signer.person(0).publicKey), firstLane: LaneID(founder.publicKey))
        let membership = GroupMembership(
            genesis: genesis, root: root, member: member, revision: 2, state: .joined,
            joinedAt: WallTime(milliseconds: 1_700_000_004_000), title: "Family")
        _ = add(
            &page, "group membership", 12, RecordMeta(type: .groupMembership, fields: membership.encoded),
            GroupMembership.slotName(of: genesis.home), .register)
        page.add("person 0", signer.person(0).publicKey.bytes)
        page.add("person 255", signer.person(255).publicKey.bytes)
        let (bronze, gold) = (try #require(AchievementTier(number: 1)), try #require(AchievementTier(number: 3)))
        let set = AchievementSet([
            try Achievement(
                id: AchievementID(Bytes16(1, 2)), category: "wins", thresholds: [bronze: 10, gold: 50],
                currentValue: 12, currentTier: bronze,
                unlockDates: [bronze: WallTime(milliseconds: 1_700_000_005_000)],
                lastUpdated: WallTime(milliseconds: 1_700_000_006_000)),
            try Achievement(
                id: AchievementID(Bytes16(1, 3)), category: "wins", thresholds: [gold: 7], currentValue: 0,
                lastUpdated: WallTime(milliseconds: 0)),
        ])
        let achievements = AchievementRecord(set, payload: try set.encoded())
        _ = add(
            &page, "achievements", 13, RecordMeta(type: .achievements, fields: achievements.encoded),
            AchievementRecord.slotName, .register)
    }

    /// Two real nodes that each lack two rows of one lane, from differing digests to equal ones: all their messages of
    /// section 9.3.
    func addHealing(_ page: inout VectorPage) throws {
        var author = ScriptedPeer(9, account: signer)
        author.random = CountingRandom()
        let records = (1...60).map { author.fact($0) }
        page.section("healing")
        page.add("lane", author.lane.bytes)
        page.add("hashes of rows 1 to 60", records.flatMap(\.hash.bytes))
        let nodes = try [SyncBench(1, account: signer), SyncBench(2, account: signer)]
        let ends = ["initiator", "responder"]
        for (number, lacked) in [[7, 33], [8, 50] as [UInt64]].enumerated() {
            page.add("the \(ends[number]) lacks", text: lacked.map { "\($0)" }.joined(separator: " "))
            for record in records where !lacked.contains(record.seq) { try nodes[number].store.put(record) }
            try nodes[number].store.advance(author.lane, head: 60)
            try nodes[number].turn()
        }
        let id = SessionID(1)
        nodes[0].faces(nodes[1])
        try nodes[0].open(id, isInitiator: true)
        try nodes[1].open(id)
        var said = 0
        for _ in 0..<20 {
            let outboxes = nodes.map { $0.takeOutbox(id) }
            for (number, messages) in outboxes.enumerated() {
                for message in messages where message.isOfHealing {
                    said += 1
                    page.add("message \(said), \(ends[number])", message.encoded)
                }
            }
            for (number, messages) in outboxes.enumerated() { try nodes[1 - number].take(messages, on: id) }
            for node in nodes { try node.produce(id) }
        }
        #expect(nodes[0].store.digest == nodes[1].store.digest)
        #expect(nodes[0].store.recordCount == 60)
    }

    /// A real node asked for this page and takes it; bad rows are refused one by one.
    func addPage(_ page: inout VectorPage, _ records: [Record]) throws {
        var unsealed = records[1].sealedMeta
        unsealed[30] ^= 1
        let header = records[1].header
        let broken = Record(header: header, blob: nil, sealedMeta: unsealed, zone: keys.zone, signedBy: device.signing)
        var peer = ScriptedPeer(9, account: signer)
        peer.random = CountingRandom()
        let name = OpaqueName("picture")
        let meta = RecordMeta(type: .opaque, fields: name.encoded)
        let foreign = peer.record(2, meta, slot: name.slotName, kind: .immutable)
        peer.random = CountingRandom()
        let misplaced = peer.record(3, meta, slot: "opaque.other", kind: .immutable, by: device)
        let rows = [
            ("a register", records[0].encoded), ("no record", [0]), ("a meta that does not open", broken.encoded),
            ("of another lane", foreign.encoded), ("in a slot of another name", misplaced.encoded),
            ("a segment", records[4].encoded),
        ]
        let message = Message.page(lane: device.lane, through: 5, target: 5, isDone: true, rows: rows.map(\.1))
        let bench = try SyncBench(1, account: signer)
        _ = try bench.zone.membership.records.take([signer.enter(device).encoded])
        try bench.turn()
        try peer.greet(bench, SessionID(1), [peer.entry(5, lane: device.lane)])
        try bench.take(message, on: SessionID(1))
        #expect(bench.closed[SessionID(1)] == nil)
        #expect(bench.sync.counters.recordsTaken == 2 && bench.sync.counters.recordsRejected == 4)
        page.section("a page with wrong records")
        page.add("message", message.encoded)
        let held = try bench.store.newest(of: device.lane, count: rows.count)
        for (number, row) in rows.enumerated() {
            page.add("row \(number + 1), \(row.0)", text: held.contains(row.1) ? "taken" : "refused")
        }
        let head = try #require(bench.store.lane(device.lane)).head
        page.add("head after it", text: "\(head)")
    }
}

extension Message {
    fileprivate var isOfHealing: Bool {
        switch self {
        case .ranges, .keys, .fetch, .rows: true
        default: false
        }
    }
}
