import NodeCore
import SyncState
import Testing
import VectorPages

@testable import LeaderboardShare
@testable import Ledger

/// A group of three, with everything that docs/PROTOCOL.md, section 13, puts on the wire; it all follows from secrets
/// of equal bytes.
struct GroupExample {
    /// A lane and its owner.
    struct Device {
        let name: String
        let seed: Secret
        let person: Ed25519.KeyPair
        let secret: Secret
        let keys: DeviceKeys
        let firstLane: LaneID

        init(_ name: String, person byte: UInt8, device: UInt8, firstLane: LaneID? = nil) {
            self.name = name
            seed = GroupExample.secret(byte)
            person = Ed25519.KeyPair(seed: seed)
            secret = GroupExample.secret(device)
            keys = DeviceKeys(deviceSecret: secret, tag: GroupExample.bytes16(device | 0x20))
            self.firstLane = firstLane ?? keys.lane
        }

        var personID: PersonID { PersonID(person.publicKey) }
        var member: MemberID { MemberID(person: personID, firstLane: firstLane) }
        var key: LaneKey { LaneKey(keys.lane, of: member) }
    }

    /// A row of a lane and its content.
    struct Row {
        let title: String
        let record: Record
        let content: GroupRecord
        let by: Device
    }

    static let wall = WallTime(milliseconds: 1_735_689_600_000)
    static let handshakeHash = [UInt8](repeating: 0x77, count: 32)

    let owner = Device("owner", person: 1, device: 0x11)
    let joiner = Device("joiner", person: 2, device: 0x12)
    let carol = Device("carol", person: 7, device: 0x17)
    /// The joiner's second device.
    let tablet: Device
    let keys: GroupKeys
    let roots: [ZoneRoot]
    let token: GroupToken
    private(set) var records: [(title: String, record: LedgerRecord)] = []
    private(set) var rows: [Row] = []

    static func secret(_ byte: UInt8, _ count: Int = 32) -> Secret {
        Secret(bytes: [UInt8](repeating: byte, count: count))
    }

    static func bytes16(_ byte: UInt8) -> Bytes16 { Bytes16(bytes: [UInt8](repeating: byte, count: 16)) ?? .zero }

    var group: ZoneID { keys.zone }
    var devices: [Device] { [owner, joiner, carol, tablet] }

    subscript(title: String) -> LedgerRecord {
        guard let found = records.first(where: { $0.title == title }) else {
            preconditionFailure("invariant: an example asks for what it made")
        }
        return found.record
    }

    init() throws {
        let (owner, joiner, carol) = (owner, joiner, carol)
        tablet = Device("tablet", person: 2, device: 0x14, firstLane: joiner.keys.lane)
        let root = Self.secret(3)
        let genesis = LedgerRecord(
            zone: .zero, signer: owner.keys.signing.publicKey, prev: .zero,
            act: .genesis(
                .group(
                    GroupGenesis(
                        person: owner.personID, firstLane: owner.keys.lane, memberLimit: 500,
                        root: ZoneRoot.commitment(to: root)))), sign: owner.keys.signing.sign)
        keys = try #require(
            GroupKeys(genesis: genesis, root: root, person: owner.personID, firstLane: owner.keys.lane))
        let zone = genesis.home
        let secret = TicketNode(number: 32, secret: Self.secret(5, 16))
        let invite = Invite(
            role: .member, expires: WallTime(milliseconds: 1_767_225_600_000),
            keys: (0..<2).map { secret.key(of: $0).publicKey })
        var made: [(title: String, record: LedgerRecord)] = [("genesis", genesis)]
        func sign(_ title: String, by device: Device, after prev: RecordHash, _ act: LedgerAct) -> RecordHash {
            let record = LedgerRecord(
                zone: zone, signer: device.keys.signing.publicKey, prev: prev, act: act, sign: device.keys.signing.sign)
            made.append((title, record))
            return record.hash
        }
        var random: any RandomSource = CountingRandom()
        let founded = sign(
            "owner's Enter", by: owner, after: .zero,
            .enter(
                Enter(
                    person: owner.personID, firstLane: owner.firstLane, sealKey: owner.keys.sealing.publicKey,
                    entrance: .founder)))
        let name = GroupTitle(title: "Family", description: "Grüße").sealed(keys, random: &random)
        let title = sign("Title", by: owner, after: founded, .title(Title(revision: 1, sealed: name)))
        let invited = sign("Invite", by: owner, after: title, .invite(invite))
        token = GroupToken(
            group: zone, invite: invited, people: 2, door: GroupDoor.secret(of: keys.firstRoot), title: "Family",
            secret: secret,
            hints: [
                SocketAddress(ipv4: 0x7F00_0001, port: 4_711), SocketAddress(ipv6: Self.bytes16(0x20), port: 4_711),
            ])
        var entered: [RecordHash] = []
        for (index, device) in [joiner, carol].enumerated() {
            entered.append(
                sign(
                    "\(device.name)'s Enter", by: device, after: .zero,
                    .enter(Self.enter(device, ticket: index, of: token))))
        }
        let endorsed = Enter.endorsed(
            lane: tablet.keys.lane, member: tablet.member, isReplica: false, sealKey: tablet.keys.sealing.publicKey,
            succeeds: .zero, zone: zone)
        let tabletEntered = sign(
            "tablet's Enter", by: tablet, after: .zero,
            .enter(
                Enter(
                    person: tablet.personID, firstLane: tablet.firstLane, sealKey: tablet.keys.sealing.publicKey,
                    entrance: .lane(joiner.keys.lane, joiner.keys.signing.sign(endorsed)))))
        func confirming(_ device: Device, _ index: UInt8) -> Word {
            Word(
                member: device.member, role: .member, revision: 1,
                ticket: .init(issuer: owner.member, ticket: TicketID(invite: invited, index: index)), keep: .none)
        }
        let first = sign("Word on joiner", by: owner, after: invited, .word(confirming(joiner, 0)))
        let base = sign("Word on carol", by: owner, after: first, .word(confirming(carol, 1)))
        rows = try Self.makeRows(keys, owner, joiner, carol, entered: [founded] + entered)
        let suspended = sign("Suspend", by: owner, after: base, .suspend(carol.member))
        _ = sign("Unsuspend", by: owner, after: suspended, .unsuspend(suspended))
        let heads = [entered[0], rows[2].record.name]
        _ = sign(
            "Word that makes joiner a viewer", by: owner, after: base,
            .word(Word(member: joiner.member, role: .viewer, revision: 2, keep: .member, heads: heads)))
        _ = sign("Revoke", by: owner, after: invited, .revoke(Revoke(invite: invited, stays: [])))
        let dismissed = sign(
            "Word that dismisses carol", by: owner, after: base,
            .word(
                Word(
                    member: carol.member, role: .none, revision: 2, keep: .member,
                    heads: [entered[1], rows[3].record.name])))
        let next = Self.secret(8)
        let rotate = sign(
            "Rotate", by: owner, after: dismissed,
            .rotate(
                Rotate(
                    number: 1, root: ZoneRoot.commitment(to: next), covers: [dismissed],
                    tips: [Rotate.Tip(keys.firstRoot, under: next)])))
        let latest = ZoneRoot(rotate: rotate, secret: next)
        roots = [keys.firstRoot, latest]
        let recipients = [joiner, tablet].map {
            Seal.Recipient(id: $0.keys.lane.storage, key: $0.keys.sealing.publicKey)
        }
        random = CountingRandom()
        _ = sign("Seal", by: owner, after: rotate, .seal(Seal(latest, to: recipients, random: &random)))
        let remove = Remove(firstLane: tablet.firstLane, lanes: [tablet.keys.lane], heads: [tabletEntered])
        made.append(
            (
                "Remove of tablet",
                LedgerRecord(
                    zone: zone, signer: joiner.person.publicKey, prev: .zero, act: .remove(remove),
                    sign: joiner.person.sign)
            ))
        _ = sign("Leave", by: joiner, after: entered[0], .leave)
        let ends = [base, entered[0], entered[1], rows[0].record.name, rows[3].record.name]
        _ = sign("Close", by: owner, after: base, .close(Close(heads: ends, successor: nil)))
        records = made
        let late = try Self.score(of: owner, 2, day: 20_090)
        rows.append(
            Self.row("owner's score", .score(late), owner, seq: 2, after: rows[0].record.name, keys, under: latest))
    }

    static func enter(_ device: Device, ticket index: Int, of token: GroupToken) -> Enter {
        let ticket = TicketID(invite: token.invite, index: UInt8(index))
        guard let key = token.key(of: index) else { preconditionFailure("invariant: the token has the ticket") }
        return Enter(
            person: device.personID, firstLane: device.firstLane, sealKey: device.keys.sealing.publicKey,
            entrance: .ticket(
                ticket, key: key.publicKey,
                proof: key.sign(Enter.claimed(ticket: ticket, member: device.member, zone: token.group))))
    }

    // MARK: Rows

    private static func makeRows(
        _ keys: GroupKeys, _ owner: Device, _ joiner: Device, _ carol: Device, entered: [RecordHash]
    ) throws -> [Row] {
        let game = try Game(
            id: GameID(Bytes16(0x0102_0304_0506_0708, 9)), name: "Wordle", model: .lowerAttempts, maxAttempts: 6,
            number: 1)
        let name = try MemberName(member: joiner.member, name: "Grüße 🦊", revision: 1, updatedAt: wall)
        let contents: [(String, GroupRecord, Device)] = [
            ("game", .game(GameEntry(member: owner.member, game: game)), owner), ("name", .name(name), joiner),
            ("joiner's score", .score(try score(of: joiner, 3, day: 20_088)), joiner),
            ("carol's score", .score(try score(of: carol, 4, day: 20_088)), carol),
            ("carol's later score", .score(try score(of: carol, 5, day: 20_089)), carol),
        ]
        var ends = Dictionary(uniqueKeysWithValues: zip([owner, joiner, carol].map(\.name), entered))
        var seqs: [String: UInt64] = [:]
        return contents.map { title, content, device in
            seqs[device.name, default: 0] += 1
            let row = row(
                title, content, device, seq: seqs[device.name] ?? 0, after: ends[device.name], keys,
                under: keys.firstRoot)
            ends[device.name] = row.record.name
            return row
        }
    }

    private static func score(of device: Device, _ score: UInt32, day: Int) throws -> DailyScore {
        try DailyScore(
            member: device.member, day: Day(number: day), game: GameID(Bytes16(0x0102_0304_0506_0708, 9)),
            gameName: "Wordle", score: score, maxAttempts: 6, currentStreak: 12, updatedAt: wall)
    }

    private static func row(
        _ title: String, _ content: GroupRecord, _ device: Device, seq: UInt64, after prev: RecordHash?,
        _ keys: GroupKeys, under root: ZoneRoot
    ) -> Row {
        let sealer = RecordSealer(zone: keys.zone, first: keys.firstRoot, slotKey: keys.slotKey)
        sealer.use([root])
        let slot = sealer.slot(named: Array(content.slotName.utf8), tag: .zero)
        let header = RecordHeader(
            lane: device.keys.lane, seq: seq, slot: slot, kind: .immutable, keyVersion: sealer.keyVersion, prev: prev)
        var random: any RandomSource = CountingRandom()
        let record = Record(
            header: header, blob: nil,
            sealedMeta: sealer.seal(content.meta, header: header, blob: nil, random: &random),
            zone: keys.zone, signedBy: device.keys.signing)
        return Row(title: title, record: record, content: content, by: device)
    }
}
