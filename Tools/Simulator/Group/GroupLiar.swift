import LeaderboardShare
import Ledger
import NodeCore
import SyncState

/// Actions of dishonest present and former members, and of the finder of a device, with all their keys and roots. They
/// write anything that can be signed, and show it to anybody who takes it.
struct GroupLiar {
    let node: GroupNode
    let zone: GroupZone

    func attack(_ deed: GroupDeed) throws -> WorkloadResult {
        try zone.store.begin()
        switch deed {
        case .forge: try forge()
        case .backdate: try backdate()
        case .equivocate: try equivocate()
        case .flood: try flood()
        case .sybil: try enterSybil()
        case .endorse: try endorse()
        case .replay: try replay()
        case .collude: try collude()
        default: return .unchanged
        }
        return .acknowledged
    }

    // MARK: Control records

    private func forge() throws {
        switch node.draw(8) {
        case 0, 1: return try show(row(of: victim()))
        case 2: return try forgeTicket()
        // As an admin it may, and the owner's entry stays before it.
        case 3:
            _ = try zone.enter(GroupBoard.game, name: "Solitaire", model: .higher)
            return
        default: break
        }
        let acts = forgedActs()
        let act = acts[node.draw(acts.count)]
        if case .remove = act {
            // In the name of the victim's member, and of the own one: a device that was found has no phrase.
            let keys = (node.isStolen ? [] : [node.personKey]) + [zone.store.device.signing]
            for key in keys { try show(sign(act, by: key)) }
        } else {
            try show(sign(act, after: previous(), by: zone.store.device.signing))
        }
    }

    private func forgedActs() -> [LedgerAct] {
        let (state, victim) = (zone.state, victim())
        let any = (state.set.records.map(\.hash).randomElement(using: &node.random)) ?? RecordHash(zone.zone.storage)
        let root = secret()
        let lanes = state.lanes(of: victim).map(\.lane)
        let keys = (0..<64).map { _ in Ed25519.KeyPair(seed: secret()).publicKey }
        let tips = [Rotate.Tip(rotate: zone.membership.root.rotate, sealedRoot: [UInt8](repeating: 3, count: 48))]
        func rotate(_ number: UInt64, covering covers: [RecordHash]) -> LedgerAct {
            .rotate(Rotate(number: number, root: ZoneRoot.commitment(to: root), covers: covers, tips: tips))
        }
        let number = state.rotates.values.max() ?? 0
        let junk = Seal.Entry(
            recipient: lanes.first?.storage ?? zone.lane.storage, sealed: [UInt8](repeating: 7, count: 48))
        return [
            .word(Word(member: zone.member, role: .admin, revision: 1_000_000, keep: .none)),
            .word(Word(member: victim, role: .none, revision: 1_000_000, keep: .none)),
            .word(Word(member: victim, role: .viewer, revision: 2, keep: .none, heads: [any])),
            .remove(Remove(firstLane: zone.keys.firstLane, lanes: lanes + [zone.lane], heads: [])),
            .remove(Remove(firstLane: lanes.first ?? zone.lane, lanes: lanes + [zone.lane], heads: [])),
            rotate(number + 1, covering: state.covers), rotate(1_000_000, covering: []),
            .seal(Seal(rotate: zone.membership.root.rotate, ephemeral: keys[0], entries: [junk])),
            .close(Close(heads: [], successor: nil)),
            .title(Title(revision: 1_000_000, sealed: [UInt8](repeating: 9, count: 60))),
            .invite(Invite(role: .admin, expires: .never, keys: Array(keys.prefix(2)))),
            .invite(Invite(role: .member, expires: .never, keys: keys)),
            .revoke(Revoke(invite: state.invitations.randomElement(using: &node.random)?.record ?? any, stays: [])),
            .suspend(victim), .unsuspend(any), .end(lanes.first ?? zone.lane),
            .offer(Offer(group: zone.zone, tickets: [])),
            .later(kind: 99, fields: [1]),
        ]
    }

    /// Anybody, even a member who is gone.
    private func victim() -> MemberID {
        let all = Array(zone.state.members.keys) + zone.state.dismissed + zone.state.left
        return all.sorted().randomElement(using: &node.random) ?? zone.member
    }

    private func secret() -> Secret {
        var source: any RandomSource = SeededRandom(seed: node.random.next())
        return Secret(random: &source, count: 32)
    }

    /// The record that a control record follows: usually the lane's last one; or else its Enter, another's, or a row.
    private func previous() -> RecordHash {
        let state = zone.state
        let last = state.end(of: zone.membership.own)
        let others = [
            state.entrance(of: zone.membership.own), state.set.records.map(\.hash).randomElement(using: &node.random),
            try? zone.previous,
        ]
        return (node.draw(3) == 0 ? others[node.draw(3)] : last) ?? last ?? RecordHash(zone.zone.storage)
    }

    private func sign(
        _ act: LedgerAct, after prev: RecordHash = .zero, by key: Ed25519.KeyPair
    ) -> LedgerRecord {
        LedgerRecord(zone: zone.zone, signer: key.publicKey, prev: prev, act: act, sign: key.sign)
    }

    private func show(_ record: LedgerRecord) throws {
        node.board.drop(record)
        _ = try zone.membership.records.take([record.encoded])
    }

    // MARK: Lanes

    /// Somebody invented comes by a ticket that was for another.
    private func enterSybil() throws {
        guard let token = node.board.tokens.randomElement(using: &node.random),
            let ticket = token.tickets.randomElement(using: &node.random), let key = token.key(of: ticket)
        else { return }
        try enterSybil(by: TicketID(invite: token.invite, index: UInt8(ticket)), key)
    }

    /// And by an invitation that this member may not write.
    private func forgeTicket() throws {
        let key = Ed25519.KeyPair(seed: secret())
        let invite = sign(
            .invite(Invite(role: .member, expires: .never, keys: [key.publicKey])), after: previous(),
            by: zone.store.device.signing)
        try show(invite)
        try enterSybil(by: TicketID(invite: invite.hash, index: 0), key)
    }

    private func enterSybil(by id: TicketID, _ key: Ed25519.KeyPair) throws {
        let lane = Ed25519.KeyPair(seed: secret())
        let person = PersonID(Ed25519.KeyPair(seed: secret()).publicKey)
        let first = node.draw(4) == 0 ? zone.lane : LaneID(lane.publicKey)
        let member = MemberID(person: person, firstLane: first)
        let enter = Enter(
            person: person, firstLane: first, sealKey: X25519.KeyPair(secret: secret()).publicKey,
            entrance: .ticket(
                id, key: key.publicKey, proof: key.sign(Enter.claimed(ticket: id, member: member, zone: zone.zone))))
        try hideOrShow(sign(.enter(enter), by: lane))
    }

    /// The own lane lets another in: for the own member, or for somebody else's.
    private func endorse() throws {
        let victims = zone.state.set.records.compactMap { record -> Enter? in
            if case .enter(let enter) = record.act { enter } else { nil }
        }
        let victim = node.draw(2) == 0 ? victims.randomElement(using: &node.random) : nil
        let lane = Ed25519.KeyPair(seed: secret())
        let sealKey = X25519.KeyPair(secret: secret()).publicKey
        let (person, first) = (victim?.person ?? zone.keys.person, victim?.firstLane ?? zone.keys.firstLane)
        let succeeds = node.draw(4) == 0 ? zone.lane : LaneID.zero
        let message = Enter.endorsed(
            lane: LaneID(lane.publicKey), member: MemberID(person: person, firstLane: first), isReplica: false,
            sealKey: sealKey, succeeds: succeeds, zone: zone.zone)
        let enter = Enter(
            person: person, firstLane: first, sealKey: sealKey,
            entrance: .lane(zone.lane, zone.store.device.signing.sign(message)), succeeds: succeeds)
        // A fresh start would be this node's own, which it does not know of.
        guard succeeds == .zero || node.isStolen else { return }
        try hideOrShow(sign(.enter(enter), by: lane))
    }

    private func hideOrShow(_ record: LedgerRecord) throws {
        if node.draw(3) == 0 { node.withheld.records.append(record) } else { try show(record) }
    }

    // MARK: Several

    private func equivocate() throws {
        let (prev, seq) = (try zone.previous, highest() + 1)
        for _ in 0..<2 { try show(row(of: zone.member, seq: seq, after: prev)) }
        let last = previous()
        for _ in 0..<2 {
            try show(sign(.suspend(victim()), after: last, by: zone.store.device.signing))
        }
    }

    private func flood() throws {
        for _ in 0..<30 { try show(row(of: zone.member)) }
        for _ in 0..<20 {
            let act = LedgerAct.later(kind: 99, fields: node.random.identifier(Bytes16.self).bytes)
            try show(sign(act, after: previous(), by: zone.store.device.signing))
        }
    }

    private func replay() throws {
        let (key, records) = (zone.store.device.signing, zone.state.set.records)
        guard let record = records.randomElement(using: &node.random), record.prev != .zero else { return }
        try show(sign(record.act, after: previous(), by: key))
        // The signature of another, behind something else.
        try show(
            LedgerRecord(
                zone: zone.zone, signer: record.signer, prev: previous(), act: record.act,
                sign: { _ in record.signature }))
        if let row = node.board.dropped.rows.randomElement(using: &node.random) { try show(row) }
    }

    private func collude() throws {
        for record in node.withheld.records { try show(record) }
        node.withheld.records = []
        for record in node.board.dropped.records { _ = try zone.membership.records.take([record]) }
        for row in node.board.dropped.rows { try node.offer(row, to: zone) }
        try zone.store.forEachRecord { row in if row.lane == zone.lane { node.board.drop(row) } }
        for record in zone.state.set.records where record.lane == zone.lane { node.board.drop(record) }
    }
}

// MARK: - Rows

extension GroupLiar {
    /// Writes into holes of the lane and far ahead; some of it is node.withheld until somebody shows it.
    private func backdate() throws {
        for row in node.withheld.rows { try show(row) }
        let reach = Int(highest())
        let junk = RecordHash(node.random.identifier(Bytes32.self))
        let before = [try zone.previous, zone.state.entrance(of: zone.membership.own), junk, nil]
        node.withheld.rows = [reach + 2, reach + 1_000, node.draw(max(1, reach)) + 1].map { seq in
            row(of: zone.member, seq: UInt64(seq), after: before[node.draw(before.count)])
        }
    }

    private func highest() -> UInt64 { zone.store.lane(zone.lane)?.highest ?? 0 }

    /// A score as of a member, on days on which no honest member posts, as the next row of this device.
    private func row(of member: MemberID) throws -> Record {
        row(of: member, seq: highest() + 1, after: try zone.previous)
    }

    private func row(of member: MemberID, seq: UInt64, after prev: RecordHash?) -> Record {
        let score: DailyScore
        do {
            score = try DailyScore(
                member: member, day: Day(number: 2_000 + node.draw(3_000)), game: GroupBoard.game, gameName: "Wordle",
                score: 7, updatedAt: WallTime(milliseconds: 0), revision: UInt32(node.draw(900) + 1))
        } catch {
            preconditionFailure("invariant: these values are within a score's limits")
        }
        let sealer = RecordSealer(
            zone: zone.zone, first: zone.keys.firstRoot,
            slotKey: HKDF.derive(zone.keys.firstRoot.reading, "group/slot"))
        sealer.use(zone.membership.ring.ordered(in: zone.state))
        // The number of `GroupRecord.Kind`.
        let meta = RecordMeta(number: 17, fields: score.encoded)
        let header = RecordHeader(
            lane: zone.lane, seq: seq, slot: sealer.slot(named: Array("score.\(score.id)".utf8), tag: .zero),
            kind: .immutable, keyVersion: sealer.keyVersion, prev: prev)
        return Record(
            header: header, blob: nil, sealedMeta: sealer.seal(meta, header: header, blob: nil, random: &node.random),
            zone: zone.zone, signedBy: zone.store.device.signing)
    }

    private func show(_ row: Record) throws {
        node.board.drop(row)
        try node.offer(row, to: zone)
    }
}
