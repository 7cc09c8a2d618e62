import Chat
import LeaderboardShare
import Ledger
import Node
import NodeCore
import NodeDriver
import SyncState
import Testing

/// A home in somebody else's hands, opened in place while its node is not running.
final class StolenHome {
    private let node: LocalNode

    init(of stopped: DrivenNode) throws {
        node = try LocalNode(home: HomeFolder(path: stopped.home), clock: SystemClock(), environment: Environment([:]))
    }

    deinit { node.close() }

    var account: AccountZone { get throws { try #require(node.accounts.first).zone } }
    var group: GroupZone { get throws { try #require(node.accounts.first?.groups.first).zone } }
}

/// The records that the finder can sign with its device's key, though the program would not.
struct StolenKey {
    let membership: ZoneMembership
    private var store: ZoneStore { membership.store }
    private var key: Ed25519.KeyPair { store.device.signing }

    init(_ membership: ZoneMembership) { self.membership = membership }

    /// The device's control records for these acts, one after another.
    func records(of acts: [LedgerAct]) throws -> [LedgerRecord] {
        var last = try #require(membership.state.end(of: membership.own))
        return acts.map { act in
            let record = record(act, after: last)
            last = record.hash
            return record
        }
    }

    /// A Remove in the name of the device's person, who did not sign it.
    func removal(of lane: LaneID) throws -> LedgerRecord {
        let enter = try own()
        let act = LedgerAct.remove(Remove(firstLane: enter.firstLane, lanes: [lane], heads: []))
        return LedgerRecord(zone: store.zone, signer: enter.person.storage, prev: .zero, act: act, sign: key.sign)
    }

    /// Enters of new devices of the same member, let in by this one.
    func accomplices(_ count: Int) throws -> [LedgerRecord] {
        let own = try own()
        return (0..<count).map { _ in
            let (lane, seal) = (Self.key(), X25519.KeyPair(secret: Self.secret()).publicKey)
            let signature = membership.endorse(LaneID(lane.publicKey), sealKey: seal)
            let enter = Enter(
                person: own.person, firstLane: own.firstLane, sealKey: seal,
                entrance: .lane(membership.own.lane, signature))
            return record(.enter(enter), by: lane)
        }
    }

    /// An Enter of an invented person, by a ticket.
    func stranger(by ticket: TicketID, _ ticketKey: Ed25519.KeyPair) -> LedgerRecord {
        let (lane, person) = (Self.key(), PersonID(Self.key().publicKey))
        let member = MemberID(person: person, firstLane: LaneID(lane.publicKey))
        let proof = ticketKey.sign(Enter.claimed(ticket: ticket, member: member, zone: store.zone))
        let enter = Enter(
            person: person, firstLane: LaneID(lane.publicKey),
            sealKey: X25519.KeyPair(secret: Self.secret()).publicKey,
            entrance: .ticket(ticket, key: ticketKey.publicKey, proof: proof))
        return record(.enter(enter), by: lane)
    }

    /// A row at that place with this content, sealed as in the zone and signed by the device.
    ///
    /// - Parameter lane: the lane it claims; nil for the device's own.
    func row(
        _ meta: RecordMeta, of lane: LaneID? = nil, seq: UInt64, slot: Slot, kind: RecordKind,
        after prev: RecordHash? = nil, sealedBy sealer: RecordSealer
    ) -> Record {
        let header = RecordHeader(
            lane: lane ?? store.device.lane, seq: seq, slot: slot, kind: kind, keyVersion: sealer.keyVersion,
            prev: prev)
        var random: any RandomSource = SystemRandom()
        let sealed = sealer.seal(meta, header: header, blob: nil, random: &random)
        return Record(header: header, blob: nil, sealedMeta: sealed, zone: store.zone, signedBy: key)
    }

    static func key() -> Ed25519.KeyPair { Ed25519.KeyPair(seed: secret()) }

    static func secret() -> Secret {
        var random = SystemRandom()
        return Secret(random: &random, count: 32)
    }

    private func own() throws -> Enter {
        let enter = try #require(membership.state.entrance(of: membership.own).flatMap { membership.state.set[$0] })
        guard case .enter(let enter) = enter.act else { throw StoreError.damaged("the device's Enter") }
        return enter
    }

    private func record(
        _ act: LedgerAct, after prev: RecordHash = .zero, by signer: Ed25519.KeyPair? = nil
    ) -> LedgerRecord {
        let signer = signer ?? key
        return LedgerRecord(zone: store.zone, signer: signer.publicKey, prev: prev, act: act, sign: signer.sign)
    }
}
