import Foundation
import Ledger
import NodeCore
import SyncState
import Testing
import VectorPages

@testable import LeaderboardShare

/// The worked examples of section 13 of docs/PROTOCOL.md, generated from the code and compared with the page that
/// others test against. `KACHAT_WRITE_VECTORS=1` writes the page and the fuzzer's corpus.
@Suite("Worked examples of a group's zone") struct GroupZoneVectorTests {
    private static let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    private let example: GroupExample
    private let meeting = RendezvousMeeting(
        handshakeHash: GroupExample.handshakeHash, address: SocketAddress(ipv4: 0x7F00_0001, port: 4_711))

    init() throws { example = try GroupExample() }

    @Test("The page is what the code gives")
    func page() throws {
        var page = VectorPage()
        addKeys(&page)
        try addTickets(&page)
        addLedger(&page)
        for (index, row) in example.rows.enumerated() { add(row, index + 1, &page) }
        try addStates(&page)
        try addJoining(&page)
        let url = URL(fileURLWithPath: Self.tests + "/Vectors/zone.json")
        if getenv("KACHAT_WRITE_VECTORS") != nil {
            try Data(page.text.utf8).write(to: url)
            try writeCorpus()
        }
        let written = try String(decoding: Data(contentsOf: url), as: UTF8.self)
        #expect(written == page.text, "the protocol changed: see docs/PROTOCOL.md before writing the page anew")
    }

    @Test("A member's zone takes the records, and finds the second root in its seal")
    func taken() throws {
        let joiner = example.joiner
        let keys = try #require(
            GroupKeys(
                genesis: example["genesis"], root: example.roots[0].secret, person: joiner.personID,
                firstLane: joiner.firstLane))
        let zone = try GroupZone(
            database: Database(path: ":memory:"), keys: keys, deviceSecret: joiner.secret, firstTag: joiner.keys.tag,
            random: SeededRandom(seed: 1))
        let ends = ["genesis", "Leave", "Close", "Remove of tablet", "Word that makes joiner a viewer"]
        let records = example.records.filter { !ends.contains($0.title) }
        try zone.store.begin()
        let taking = try zone.membership.records.take(records.map(\.record.encoded))
        #expect(!taking.isForged && taking.added.count == records.count)
        try zone.commit()
        #expect(zone.membership.root.rotate == example["Rotate"].hash && zone.access == .member)
        for row in example.rows {
            if row.title == "carol's later score" {
                #expect(throws: RecordRejection.removed) { try zone.store.put(row.record) }
            } else {
                try zone.store.put(row.record)
            }
        }
        try zone.commit()
        #expect(try zone.scoreCount == 3 && zone.voidScores == 0)
        #expect(zone.roster.title == GroupTitle(title: "Family", description: "Grüße"))
        #expect(zone.roster.members().first(where: \.isMe)?.name == "Grüße 🦊")
    }

    @Test("A joiner says that knock, and goes by the welcome and by the refusal")
    func joining() throws {
        func attempt() -> JoinAttempt {
            var random: any RandomSource = SeededRandom(seed: 1)
            return JoinAttempt(
                PendingJoin(
                    token: example.token, person: example.joiner.personID, tag: example.joiner.keys.tag,
                    since: GroupExample.wall), deviceSecret: example.joiner.secret, random: &random)
        }
        let (welcomed, refused) = (attempt(), attempt())
        guard case .knock(let said) = try JoinMessage(encoded: try #require(welcomed.opened(meeting))),
            case .knock(let written) = try knock
        else {
            Issue.record("no knock")
            return
        }
        #expect(Set(said.enters) == Set(written.enters) && said.signature == written.signature)
        _ = try welcomed.received(welcome.encoded, in: meeting)
        guard case .welcomed(let found) = welcomed.state else {
            Issue.record("not welcomed")
            return
        }
        #expect(found.keys.member == example.joiner.member && found.group == example.group)
        _ = refused.opened(meeting)
        _ = try refused.received(refusal.encoded, in: meeting)
        guard case .refused(.revoked) = refused.state else {
            Issue.record("not refused")
            return
        }
    }

    // MARK: Keys and records

    private func addKeys(_ page: inout VectorPage) {
        page.section("keys")
        for device in example.devices {
            page.add("\(device.name)'s seed", device.seed)
            page.add("\(device.name)'s person", device.personID.bytes)
            page.add("\(device.name)'s device secret", device.secret)
            page.add("\(device.name)'s tag", device.keys.tag.bytes)
            page.add("\(device.name)'s lane", device.keys.lane.bytes)
            page.add("\(device.name)'s seal key", device.keys.sealing.publicKey.bytes)
            page.add("\(device.name)'s member", device.member.bytes)
        }
        page.add("group", example.group.bytes)
        page.add("K_slot", example.keys.slotKey)
        page.add("K_title", example.keys.titleKey)
        for (number, root) in example.roots.enumerated() {
            let commitment = ZoneRoot.commitment(to: root.secret)
            let door = GroupDoor.secret(of: root)
            let keys = RendezvousKeys(Secret(bytes: door))
            page.section("root \(number + 1)")
            page.add("record", root.rotate.bytes)
            page.add("root", root.secret)
            page.add("commitment to K_repl", commitment.replication.bytes)
            page.add("commitment to K_read", commitment.reading.bytes)
            page.add("keyVersion", text: "\(root.id)")
            page.add("K_disc", root.discovery)
            page.add("psk", root.session)
            page.add("K_meta", root.meta)
            page.add("door", door)
            page.add("K_disc(door)", keys.discovery)
            page.add("psk(door)", keys.session)
        }
    }

    private func addTickets(_ page: inout VectorPage) throws {
        let (cut, rest) = try example.token.split(people: 1)
        page.section("tickets")
        page.add("node 32", example.token.nodes[0].secret)
        for part in [cut, rest] {
            page.add("node \(part.nodes[0].number)", part.nodes[0].secret)
            let ticket = part.tickets[0]
            page.add("ticket \(ticket)", try #require(part.key(of: ticket)).publicKey.bytes)
        }
        page.add("token", text: example.token.text)
        page.add("token's bytes", example.token.encoded)
        page.add("token of ticket \(cut.tickets[0])", text: cut.text)
        page.add("token of ticket \(rest.tickets[0])", text: rest.text)
    }

    private func addLedger(_ page: inout VectorPage) {
        page.section("ledger")
        for (index, made) in example.records.enumerated() {
            page.add("\(index + 1) \(made.title)", made.record.encoded)
            page.add("\(index + 1) hash", made.record.hash.bytes)
        }
    }

    private func add(_ row: GroupExample.Row, _ number: Int, _ page: inout VectorPage) {
        page.section("row \(number): \(row.title)")
        page.add("slot name", text: row.content.slotName)
        page.add("fields", row.content.meta.fields)
        page.add("meta's associated data", row.record.header.metaAssociatedData(blob: nil))
        page.add("record", row.record.encoded)
        page.add("hash", row.record.hash.bytes)
        page.add("name", row.record.name.bytes)
    }

    // MARK: The state

    private static let begun = ["owner's Enter", "Title", "Invite", "joiner's Enter"]

    private func state(_ titles: [String]) throws -> LedgerState {
        var set = try #require(LedgerSet(genesis: example["genesis"]))
        for title in titles { set.insert(example[title]) }
        return LedgerState(set)
    }

    /// Sets of the control records by their numbers, and the state that follows from each.
    private func addStates(_ page: inout VectorPage) throws {
        let three = Self.begun + ["carol's Enter"]
        let all = three + ["Word on joiner", "Word on carol"]
        let cases = [
            Self.begun, three, three.reversed(), three + ["tablet's Enter"], three + ["Revoke"], all, all + ["Revoke"],
            all + ["Suspend"], all + ["Suspend", "Unsuspend"], all + ["Word that makes joiner a viewer"],
            all + ["Word that dismisses carol"], all + ["Word that dismisses carol", "Rotate"],
            all + ["Word that dismisses carol", "Rotate", "Seal"], all + ["tablet's Enter", "Remove of tablet"],
            all + ["Leave"], all + ["Close"], all + ["Leave", "Close"], all.filter { $0 != "Invite" },
            all.filter { $0 != "owner's Enter" },
        ]
        page.section("states")
        for titles in cases {
            let numbers = titles.compactMap { title in example.records.firstIndex { $0.title == title } }
            let name = (["1"] + numbers.map { "\($0 + 1)" }).joined(separator: " ")
            page.add(name, text: text(of: try state(titles)))
        }
    }

    private func text(of state: LedgerState) -> String {
        let people = [example.owner, example.joiner, example.carol]
        func list(_ isIn: (GroupExample.Device) -> Bool) -> String {
            people.filter(isIn).map(\.name).joined(separator: " ")
        }
        let members = people.compactMap { person in state.members[person.member].map { "\(person.name) \($0)" } }
        let lanes = example.devices.filter { state.standing(of: $0.key) == .active }.map(\.name)
        let held = Set(example.roots.map(\.rotate))
        let root = example.records.first { $0.record.hash == state.newestRoot(held: held) }
        return "members: \(members.joined(separator: ", ")); lanes: \(lanes.joined(separator: " ")); "
            + "confirmed: \(list { state.isConfirmed($0.member) }); "
            + "removed: \(list { state.isDismissed($0.member) }); left: \(list { state.hasLeft($0.member) }); "
            + "suspended: \(list { state.isSuspended($0.member) }); open: \(state.invitations.count); "
            + "root: \(root?.title ?? ""); due: \(state.isRotationDue(held: held)); closed: \(state.isClosed); "
            + "counting: \(example.rows.filter { counts($0, in: state) }.map(\.title).joined(separator: ", "))"
    }

    private func counts(_ row: GroupExample.Row, in state: LedgerState) -> Bool {
        let need: Role =
            switch row.content {
            case .score: .member
            case .game: .admin
            case .name: .viewer
            }
        let roots = Set(state.rotates.keys.map(ZoneRoot.id))
        let held = example.rows.map(\.record).filter { !state.isClosed || roots.contains($0.header.keyVersion) }
        guard held.contains(where: { $0.name == row.record.name }) else { return false }
        switch state.rows(of: row.by.key, needing: need) {
        case .none, .listed: return false
        case .all: return true
        case .behind(let each):
            return each.allSatisfy { heads in
                heads.contains { head in
                    var next: RecordHash? = head
                    while let name = next, let found = held.first(where: { $0.name == name }) {
                        if name == row.record.name { return true }
                        next = found.header.prev
                    }
                    return false
                }
            }
        }
    }

    // MARK: Joining

    private var knock: JoinMessage {
        get throws {
            let signed = JoinMessage.knockMessage(GroupExample.handshakeHash)
            let device = example.joiner.keys
            let enters = example.token.tickets.map { ticket in
                LedgerRecord(
                    zone: example.group, signer: device.signing.publicKey, prev: .zero,
                    act: .enter(GroupExample.enter(example.joiner, ticket: ticket, of: example.token)),
                    sign: device.signing.sign)
            }
            #expect(enters.first == example["joiner's Enter"])
            return .knock(JoinMessage.Knock(enters: enters.map(\.encoded), signature: device.signing.sign(signed)))
        }
    }

    private var welcome: JoinMessage {
        get throws {
            let signed = JoinMessage.answerMessage(GroupExample.handshakeHash, .welcome)
            let state = try state(Self.begun)
            let shown = state.path(of: example.joiner.key) + state.path(of: example.owner.key)
            return .welcome(
                JoinMessage.Welcome(
                    lane: example.owner.keys.lane, signature: example.owner.keys.signing.sign(signed),
                    genesis: example["genesis"].encoded, firstRoot: example.roots[0].secret,
                    shown: Self.once(shown)))
        }
    }

    private var refusal: JoinMessage {
        get throws {
            let reason = JoinRefusal.revoked
            let signed = JoinMessage.answerMessage(GroupExample.handshakeHash, .refused, reason: reason.rawValue)
            let state = try state(["owner's Enter", "Title", "Invite", "Revoke"])
            let ticket = try #require(example["joiner's Enter"].ticket)
            let shown = state.path(of: example.owner.key) + state.shown(against: ticket.0, key: ticket.key)
            return .refused(
                JoinMessage.Refusal(
                    reason: reason, lane: example.owner.keys.lane,
                    signature: example.owner.keys.signing.sign(signed), genesis: example["genesis"].encoded,
                    shown: Self.once(shown)))
        }
    }

    private static func once(_ records: [LedgerRecord]) -> [[UInt8]] {
        var seen: Set<RecordHash> = []
        return records.filter { seen.insert($0.hash).inserted }.map(\.encoded)
    }

    private func addJoining(_ page: inout VectorPage) throws {
        let all = Self.begun + ["carol's Enter", "Word on joiner", "Word on carol", "Word that dismisses carol"]
        page.section("joining")
        page.add("h", GroupExample.handshakeHash)
        page.add("KNOCK", try knock.encoded)
        page.add("WELCOME", try welcome.encoded)
        page.add("REFUSED", try refusal.encoded)
        page.add("VOUCH of joiner", ZoneMembership.encode(try state(Self.begun).path(of: example.joiner.key)))
        page.add("DISMISS of carol", ZoneMembership.encode(try state(all).removal(of: example.carol.key)))
    }

    // MARK: The fuzzer's corpus

    /// The first byte of each file selects the door for the rest (`Door`).
    private func writeCorpus() throws {
        let pending = PendingJoin(
            token: example.token, person: example.joiner.personID, tag: example.joiner.keys.tag,
            since: GroupExample.wall)
        var files: [String: [UInt8]] = [
            "token": [0] + Array(example.token.text.utf8), "knock": [2] + (try knock.encoded),
            "welcome": [2] + (try welcome.encoded), "refusal": [2] + (try refusal.encoded),
            "pending": [2] + pending.encoded,
            "title": [2] + GroupTitle(title: "Family", description: "Grüße").encoded,
        ]
        for (title, record) in example.records {
            let name = title.lowercased().split(separator: " ").last.map(String.init) ?? title
            files[name] = [1] + record.encoded
        }
        for row in example.rows {
            if case .score(let score) = row.content { files["score"] = [3] + score.encoded }
            if case .name(let name) = row.content { files["name"] = [3] + name.encoded }
        }
        let folder = Self.tests + "/../../Fuzz/Corpus/"
        for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: folder + name)) }
    }
}
