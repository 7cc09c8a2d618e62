import Foundation
import NodeCore
import SyncState
import Testing
import VectorPages

@testable import LeaderboardShare

/// The worked examples of section 13 of docs/PROTOCOL.md: made anew from the code, and compared with the page that
/// others test against. `KACHAT_WRITE_VECTORS=1` writes the page.
@Suite("Worked examples of a group's zone") struct GroupZoneVectorTests {
    private static let path = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    private let example: GroupExample
    private let records: [GroupExample.Stored]

    init() throws {
        let example = try GroupExample()
        self.example = example
        let (first, second) = (example.epochs[0], example.epochs[1])
        let (owner, joiner) = (example.owner, example.joiner)
        func control(_ title: String, _ seq: UInt64, _ epoch: GroupEpoch) -> GroupExample.Stored {
            let control = example[title]
            return example.store(
                .control(control), title, by: owner, seq: seq, in: epoch, names: control.externalNames)
        }
        let game = try Game(
            id: GameID(Bytes16(0x0102_0304_0506_0708, 9)), name: "Wordle", model: .lowerAttempts, maxAttempts: 6,
            number: 1)
        let name = try MemberName(
            member: joiner.member, name: "Grüße 🦊", revision: 1, updatedAt: GroupExample.wall)
        let offer = Handover(giving: example["genesis"].hash, from: owner.member, to: joiner.member)
        records =
            [
                control("genesis", 1, first),
                example.store(
                    .game(GameEntry(member: owner.member, game: game)), "game", by: owner, seq: 2, in: first),
                example.store(.name(name), "name", by: joiner, seq: 3, in: first),
                example.store(.handover(offer), "offer", by: owner, seq: 4, in: first),
            ] + example.scores + [
                control("remove with a list", 5, first), control("seal", 6, first), control("rotate", 7, first),
                control("rotate", 8, second),
            ]
    }

    @Test("The page is what the code gives")
    func page() throws {
        var page = VectorPage()
        addKeys(&page)
        for (index, stored) in records.enumerated() { add(stored, index + 1, &page) }
        try addSeals(&page)
        addControls(&page)
        addStates(&page)
        addJoining(&page)
        let url = URL(fileURLWithPath: "/" + Self.path + "/Vectors/zone.json")
        if getenv("KACHAT_WRITE_VECTORS") != nil { try Data(page.text.utf8).write(to: url) }
        let written = try String(decoding: Data(contentsOf: url), as: UTF8.self)
        #expect(written == page.text, "the protocol changed: see docs/PROTOCOL.md before writing the page anew")
    }

    @Test("A member's zone takes the records, and finds the second root in its seal")
    func taken() throws {
        let (joiner, random) = (example.joiner, SeededRandom(seed: 1))
        let zone = try GroupZone(
            database: Database(path: ":memory:"), group: example.group, first: example.epochs[0],
            memberSeed: joiner.seed, deviceSecret: joiner.deviceSecret, random: random)
        for stored in records {
            guard case .added(let row) = try zone.store.put(stored.record) else {
                Issue.record("\(stored.title) is not taken")
                continue
            }
            guard let blob = stored.blob else { continue }
            let wanted = WantedBlob(row: row, record: stored.record, priority: 0)
            guard case .stored = try zone.store.put(blob: blob, for: wanted) else {
                Issue.record("the list of \(stored.title) is not taken")
                continue
            }
        }
        try zone.commit()
        #expect(zone.state.isValid(example["remove with a list"].hash))
        try zone.settle()
        let opened = try #require(zone.ring.epoch(of: example["rotate"].hash)).root
        #expect(Genesis.commitment(to: opened) == Genesis.commitment(to: example.epochs[1].root))
        #expect(zone.lockedCount == 0 && zone.unknownRecords == 0)
    }

    @Test("A joiner goes by the welcome and by the refusal, and says that knock")
    func joining() throws {
        let meeting = RendezvousMeeting(
            handshakeHash: GroupExample.handshakeHash, address: SocketAddress(ipv4: 0x7F00_0001, port: 4_711))
        func attempt() -> JoinAttempt {
            JoinAttempt(
                PendingJoin(token: example.token, since: GroupExample.wall), memberSeed: example.joiner.seed)
        }
        let (welcomed, refused) = (attempt(), attempt())
        #expect(welcomed.opened(meeting) == knock.encoded)
        _ = try welcomed.received(welcome.encoded, in: meeting)
        guard case .welcomed(let found) = welcomed.state else {
            Issue.record("not welcomed")
            return
        }
        #expect(found.epochs.map(\.record) == example.epochs.map(\.record))
        _ = try refused.received(refusal.encoded, in: meeting)
        guard case .refused(.revoked) = refused.state else {
            Issue.record("not refused")
            return
        }
    }

    // MARK: Keys and records

    private func addKeys(_ page: inout VectorPage) {
        page.section("keys")
        page.add("group", example.group.bytes)
        for person in [example.owner, example.joiner, example.carol] {
            page.add("\(person.name)'s seed", person.seed)
            page.add("\(person.name)", person.member.bytes)
            page.add("\(person.name)'s device secret", person.deviceSecret)
            page.add("\(person.name)'s device tag", person.device.tag.bytes)
            page.add("\(person.name)'s lane", person.device.lane.bytes)
        }
        page.add("owner's own K_disc", own("discovery"))
        page.add("owner's own psk", own("session"))
        page.add("K_slot", HKDF.derive(example.epochs[0].root, "group/slot"))
        for (number, epoch) in example.epochs.enumerated() {
            let keys = RendezvousKeys(epoch.rendezvous)
            page.section("epoch \(number + 1)")
            page.add("record", epoch.record.bytes)
            page.add("root", epoch.root)
            page.add("commitment", Genesis.commitment(to: epoch.root).bytes)
            page.add("keyVersion", text: "\(epoch.number)")
            page.add("K_disc", epoch.discovery)
            page.add("psk", epoch.session)
            page.add("rendezvous", epoch.rendezvous)
            page.add("K_meta", epoch.meta)
            page.add("K_names", epoch.names)
            page.add("K_disc(rendezvous)", keys.discovery)
            page.add("psk(rendezvous)", keys.session)
        }
    }

    private func own(_ label: String) -> Secret {
        HKDF.derive(example.owner.seed, "group/own/\(label)", example.group.bytes)
    }

    private func add(_ stored: GroupExample.Stored, _ number: Int, _ page: inout VectorPage) {
        let header = stored.record.header
        page.section("record \(number): \(stored.title)")
        page.add("slot name", text: stored.slotName)
        page.add("fields", stored.meta.fields)
        page.add("meta's associated data", header.metaAssociatedData(blob: stored.record.blob))
        if let blob = stored.blob, let names = stored.names {
            page.add("blob's associated data", header.blobAssociatedData)
            page.add("names", names)
            page.add("blob", blob)
        }
        page.add("record", stored.record.encoded)
        page.add("hash", stored.record.hash.bytes)
    }

    private func addSeals(_ page: inout VectorPage) throws {
        guard case .seal(let root, let member, let sealed) = example["seal"].act,
            case .rotate(let rotation) = example["rotate"].act
        else { return }
        let ephemeral = X25519.KeyPair(secret: Secret(bytes: (0..<32).map { UInt8($0) }))
        let key = try #require(Ed25519.agreementKey(of: member.storage))
        let shared = try ephemeral.agree(with: key)
        page.section("seals")
        page.add("e's secret", (0..<32).map { UInt8($0) })
        page.add("e", ephemeral.publicKey.bytes)
        page.add("joiner's key on Curve25519", key.bytes)
        page.add("agreement", shared)
        page.add("key of the seal", HKDF.derive(shared, "group/seal", ephemeral.publicKey.bytes))
        page.add("seal's associated data", example.group.bytes + root.bytes + member.bytes)
        page.add("sealed", sealed)
        page.add("key of sealedPrevious", HKDF.derive(example.epochs[1].root, "group/previous"))
        page.add("sealedPrevious", rotation.sealedPrevious)
    }

    // MARK: The state

    private func addControls(_ page: inout VectorPage) {
        page.section("controls")
        for (index, control) in example.controls.enumerated() {
            page.add("\(index + 1) \(control.title)", control.record.encoded)
            page.add("\(index + 1) hash", control.record.hash.bytes)
            if let names = control.record.externalNames { page.add("\(index + 1) names", names) }
        }
    }

    /// Sets of the control records by their titles, and what follows from each.
    private func addStates(_ page: inout VectorPage) {
        let begun = ["genesis", "owner's certificate", "joiner's certificate", "title", "invite", "admission"]
        let three = begun + ["carol's certificate", "admission by a member"]
        let cases = [
            begun, three, three.reversed() + ["suspend"], three + ["suspend", "unsuspend"], three + ["remove"],
            three + ["remove", "remove with a list"], three + ["remove", "rotate"], three + ["leave"],
            three + ["demote"], three + ["revoke"], three + ["transfer"], three + ["transfer", "close"],
            three + ["close"], three.filter { $0 != "genesis" }, three.filter { $0 != "joiner's certificate" },
        ]
        page.section("states")
        for titles in cases {
            let numbers = titles.compactMap { title in example.controls.firstIndex { $0.title == title } }
            let state = GroupState(group: example.group, records: numbers.map { example.controls[$0].record })
            let name = numbers.map { "\($0 + 1)" }.joined(separator: " ")
            page.add(name, text: text(of: state))
            page.add("\(name) digest", state.controlDigest.bytes)
        }
    }

    private func text(of state: GroupState) -> String {
        let people = [example.owner, example.joiner, example.carol]
        func list(_ isIn: (GroupExample.Person) -> Bool) -> String {
            people.filter(isIn).map(\.name).joined(separator: " ")
        }
        let members = people.compactMap { person in state.members[person.member].map { "\(person.name) \($0)" } }
        let root = example.controls.first { $0.record.hash == state.rootRecord?.hash }
        let keys = state.scoreKeys
        let counting = zip(example.scores, [people[1], people[2], people[2]]).filter { stored, person in
            keys[person.member] != nil
                && state.accepted(stored.record.hash, by: person.member, device: stored.record.lane)
        }
        return "owner: \(list { $0.member == state.owner }); members: \(members.joined(separator: ", ")); "
            + "removed: \(list { state.removed.contains($0.member) }); "
            + "left: \(list { state.left.contains($0.member) }); "
            + "suspended: \(list { state.suspended.contains($0.member) }); title: \(state.title?.title ?? ""); "
            + "root: \(root?.title ?? ""); due: \(state.isRootDue); closed: \(state.isClosed); "
            + "counting: \(counting.map(\.0.title).joined(separator: ", "))"
    }

    // MARK: Joining

    private var knock: JoinMessage {
        let signed = JoinMessage.knockMessage(GroupExample.handshakeHash)
        return .knock(
            JoinMessage.Knock(
                issuer: example.owner.member, admission: example.token.admission(of: example.joiner.member),
                signature: example.joiner.key.sign(signed)))
    }

    private var welcome: JoinMessage {
        let signed = JoinMessage.answerMessage(GroupExample.handshakeHash, .welcome)
        let state = state(["genesis", "invite", "admission", "rotate"])
        return .welcome(
            JoinMessage.Welcome(
                member: example.owner.member, signature: example.owner.key.sign(signed), epochs: example.epochs,
                vouchers: state.proof(of: [example.joiner.member, example.owner.member], hasRoot: true) ?? []))
    }

    private var refusal: JoinMessage {
        let reason = JoinRefusal.revoked
        let signed = JoinMessage.answerMessage(GroupExample.handshakeHash, .refused, reason: reason.rawValue)
        let acts = [example["invite"].hash, example["revoke"].hash]
        return .refused(
            JoinMessage.Refusal(
                reason: reason, member: example.owner.member, signature: example.owner.key.sign(signed),
                vouchers: state(["genesis", "invite", "revoke"]).proof(of: [example.owner.member], and: acts) ?? []))
    }

    private func state(_ titles: [String]) -> GroupState {
        GroupState(group: example.group, records: titles.map { example[$0] })
    }

    private func addJoining(_ page: inout VectorPage) {
        let all = state(["genesis", "invite", "admission", "admission by a member", "remove with a list"])
        page.section("joining")
        page.add("token", text: example.token.text)
        page.add("token's secret", example.token.secret.bytes)
        page.add("h", GroupExample.handshakeHash)
        page.add("KNOCK", knock.encoded)
        page.add("WELCOME", welcome.encoded)
        page.add("REFUSED", refusal.encoded)
        page.add("VOUCH of joiner", Voucher.encode(all.proof(of: [example.joiner.member]) ?? []))
        page.add("DISMISS of carol", Dismissal.of(removed: example.carol.member, in: all))
    }
}
