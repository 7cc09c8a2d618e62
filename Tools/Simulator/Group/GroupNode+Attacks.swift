import LeaderboardShare
import NodeCore
import SyncState

/// Actions of dishonest present and former members, with all their keys and roots. They write anything that can be
/// signed and sealed.
extension GroupNode {
    /// The numbers of `GroupRecord.Kind`.
    private enum Meta {
        static let control: UInt64 = 16
        static let score: UInt64 = 17
    }

    func attack(_ deed: GroupDeed, _ turn: Turn) throws -> WorkloadResult {
        guard let zone else { return .unchanged }
        switch deed {
        case .forge, .invite, .remove: try forge(zone)
        case .backdate: try backdate(zone)
        case .equivocate:
            let seq = highest(zone) + 1
            for _ in 0..<2 { try show(row(forgedScore(zone, of: zone.member), zone, seq: seq), zone) }
        case .flood:
            for _ in 0..<100 { try write(forgedScore(zone, of: zone.member), zone) }
        case .replay: try replay(zone)
        case .collude:
            for record in board.drop { try show(record, zone) }
            try share(zone)
        default: return .unchanged
        }
        return .acknowledged
    }

    private func forge(_ zone: GroupZone) throws {
        let state = zone.state
        let victims = (Array(state.members.keys) + Array(state.removed)).sorted()
        guard let victim = victims.randomElement(using: &random),
            let giving = state.records.randomElement(using: &random)?.hash
        else { return }
        if draw(2) == 0 { return try write(forgedScore(zone, of: victim), zone) }
        var secret: any RandomSource = SeededRandom(seed: random.next())
        let root = Secret(random: &secret, count: 32)
        let acts: [ControlAct] = [
            .grant(to: zone.member, role: .admin, follows: .empty), .remove(victim, staying: .empty),
            .demote(victim, to: .viewer, staying: .empty), .suspend(victim), .close,
            .revoke(invitation: giving, staying: .empty), .keep(ownership: giving, staying: .empty),
            .title(GroupTitle(number: 1_000_000, title: "Mine")),
            .unsuspend(NameSet(state.records.map(\.hash).prefix(30))),
            .certificate(device: LaneID(victim.storage), index: 3),
            .invite(Delegation(role: .admin, key: zone.memberKey.publicKey)),
            .rotate(
                Rotation(
                    number: 1_000_000, commitment: Genesis.commitment(to: root), previous: giving,
                    sealedPrevious: [1, 2, 3], follows: .empty)),
            .seal(root: giving, to: victim, sealed: [UInt8](repeating: 7, count: 104)),
        ]
        try write(act: acts[draw(acts.count)], under: giving, zone)
    }

    private func write(act: ControlAct, under giving: RecordHash, _ zone: GroupZone) throws {
        let record = ControlRecord(
            group: zone.zone, by: zone.member, under: giving, claimedAt: WallTime(milliseconds: -5),
            nonce: random.next(), act: act, sign: zone.memberKey.sign)
        try write((RecordMeta(number: Meta.control, fields: record.encoded), Self.slotName(of: record)), zone)
    }

    private static func slotName(of record: ControlRecord) -> String {
        "control.\(Blake2b.hash32(record.encoded, domain: "kachat slot name").hex)"
    }

    /// On days on which no honest member posts.
    private func forgedScore(_ zone: GroupZone, of member: MemberID) throws -> (RecordMeta, String) {
        let score = try DailyScore(
            member: member, day: Day(number: 2_000 + draw(3_000)), game: GroupBoard.game, gameName: "Wordle", score: 7,
            updatedAt: WallTime(milliseconds: 0), revision: UInt32(draw(900) + 1))
        return (RecordMeta(number: Meta.score, fields: score.encoded), "score.\(score.id)")
    }

    /// Writes into holes of the lane and far ahead; some of it is withheld until somebody takes it from the drop.
    private func backdate(_ zone: GroupZone) throws {
        for record in withheld { try show(record, zone) }
        withheld = []
        for seq in [highest(zone) + 2, highest(zone) + 1_000] {
            withheld.append(row(try forgedScore(zone, of: zone.member), zone, seq: seq))
        }
        board.drop += withheld
    }

    private func replay(_ zone: GroupZone) throws {
        guard let issued = board.tokens.randomElement(using: &random) else { return }
        var secret: any RandomSource = SeededRandom(seed: random.next())
        let sybil = Ed25519.KeyPair(seed: Secret(random: &secret, count: 32))
        try write(
            act: .admission(issued.token.admission(of: MemberID(sybil.publicKey))), under: issued.invitation, zone)
    }

    private func share(_ zone: GroupZone) throws {
        guard board.drop.count < 200 else { return }
        try zone.store.forEachRecord { [board] record in
            if record.lane == zone.lane, board.drop.count < 200 { board.drop.append(record) }
        }
    }

    // MARK: Rows

    private func highest(_ zone: GroupZone) -> UInt64 { zone.store.lane(zone.lane)?.highest ?? 0 }

    private func write(_ content: (meta: RecordMeta, slotName: String), _ zone: GroupZone) throws {
        try zone.store.write(content.meta, slotName: content.slotName, kind: .immutable)
    }

    private func row(_ content: (meta: RecordMeta, slotName: String), _ zone: GroupZone, seq: UInt64) -> Record {
        let header = RecordHeader(
            lane: zone.lane, seq: seq, slot: zone.ring.slot(named: content.slotName, tag: .zero), kind: .immutable,
            keyVersion: zone.ring.keyVersion)
        return Record(
            header: header, blob: nil,
            sealedMeta: zone.ring.seal(content.meta, header: header, blob: nil, random: &random),
            zone: zone.zone, signedBy: zone.store.device.signing)
    }

    private func show(_ record: Record, _ zone: GroupZone) throws {
        do {
            _ = try zone.store.put(record)
        } catch is RecordRejection {
            // It belongs to another epoch's root than this node holds, or to a full lane.
        }
    }
}
