package import Ledger
import NodeCore
package import SyncState

/// Which devices belong to the account: its ledger, of which each device's lane is a part.
package final class AccountLedger {
    package let records: ZoneLedger
    private let keys: AccountKeys
    private let store: ZoneStore

    init(_ context: AccountContext) throws {
        keys = context.keys
        store = context.store
        records = try ZoneLedger(database: context.database, genesis: context.keys.genesis)
    }

    package var state: LedgerState { records.state }

    /// The account's only member.
    package var member: MemberID { state.owner }

    func key(of lane: LaneID) -> LaneKey { LaneKey(lane, of: member) }

    // MARK: This device

    /// Enters this device's lane, if it has not entered yet. The person's signature lets it in.
    func enterIfNew() throws {
        guard state.standing(of: key(of: store.device.lane)) == .unknown else { return }
        try store.begin()
        try enter(store.device, by: .person(keys.identity.sign(endorsed(store.device))))
    }

    /// This device goes on in a new lane, which the old one lets in.
    func enter(after old: DeviceKeys) throws {
        guard state.standing(of: key(of: old.lane)) != .unknown else { return }
        let message = endorsed(store.device, succeeds: old.lane)
        try enter(store.device, by: .lane(old.lane, old.signing.sign(message)), succeeds: old.lane)
    }

    private func endorsed(_ device: DeviceKeys, succeeds: LaneID = .zero) -> [UInt8] {
        Enter.endorsed(
            lane: device.lane, member: member, isReplica: false, sealKey: device.sealing.publicKey, succeeds: succeeds,
            zone: state.set.zone)
    }

    private func enter(_ device: DeviceKeys, by entrance: Enter.Entrance, succeeds: LaneID = .zero) throws {
        let act = LedgerAct.enter(
            Enter(
                person: PersonID(keys.identity.publicKey), firstLane: .zero, sealKey: device.sealing.publicKey,
                entrance: entrance, succeeds: succeeds))
        try records.take(
            own: LedgerRecord(
                zone: state.set.zone, signer: device.signing.publicKey, prev: .zero, act: act, sign: device.signing.sign
            ))
    }

    // MARK: Peers

    /// Judges the device that writes a lane.
    func standing(of lane: LaneID) -> PeerStanding {
        switch state.standing(of: key(of: lane)) {
        // What was succeeded is a copy of a device that started afresh: it learns that here.
        case .active, .succeeded: .proven
        case .removed, .left: .dismissed(Self.encode(state.removal(of: key(of: lane))))
        case .lapsed, .displaced, .unknown: .unknown
        }
    }

    /// Judges it again with what it shows of its way back to the person.
    func standing(of lane: LaneID, shown path: [UInt8]) throws -> PeerStanding {
        guard let shown = Self.decode(path) else { return .wrong }
        try store.begin()
        return try records.take(shown).isForged ? .wrong : standing(of: lane)
    }

    /// Shows others how this device leads back to the person.
    var path: [UInt8] { Self.encode(state.path(of: key(of: store.device.lane))) }

    /// Takes what shows that this device was removed.
    func take(dismissal: [UInt8]) throws {
        guard let shown = Self.decode(dismissal) else { return }
        try store.begin()
        _ = try records.take(shown)
    }

    private static func encode(_ records: [LedgerRecord]) -> [UInt8] { records.flatMap(\.encoded) }

    private static func decode(_ bytes: [UInt8]) -> [[UInt8]]? {
        var reader = CBORReader(bytes)
        var records: [[UInt8]] = []
        while reader.remaining > 0 {
            guard records.count < Limits.shownRecords, let range = try? reader.skip() else { return nil }
            records.append(reader.copy(range))
        }
        return records
    }
}
