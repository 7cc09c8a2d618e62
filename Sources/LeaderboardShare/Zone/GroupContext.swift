import Ledger
import NodeCore
import SyncState

/// Shared by the parts of a group's zone: who this device is there, where it writes, and what counts.
final class GroupContext {
    let keys: GroupKeys
    let store: ZoneStore
    let sealer: RecordSealer
    let membership: ZoneMembership
    let rows: GroupRows
    var random: any RandomSource
    /// Encoded records that show this device's way into the group until the ledger does.
    private(set) var entrance: [[UInt8]] = [] { didSet { knownLapse = nil } }
    /// Encoded records from a peer that show why this member's invitation is no longer valid.
    private var lapse: [[UInt8]] = [] { didSet { knownLapse = nil } }
    /// What follows from these, as last judged: a turn asks for it several times.
    private var knownLapse: (revision: UInt64, access: GroupAccess?)?
    /// The reason that this member writes nothing more, according to its account's devices.
    var accountEnd: GroupError?

    init(
        database: Database, keys: GroupKeys, deviceSecret: Secret, firstTag: Bytes16?, random: any RandomSource
    ) throws {
        var random = random
        try database.migrate("zone", ZoneSchema.migrations)
        sealer = RecordSealer(zone: keys.zone, first: keys.firstRoot, slotKey: keys.slotKey)
        store = try ZoneStore(
            database: database, sealer: sealer, deviceSecret: deviceSecret, firstTag: firstTag, random: random.split())
        membership = try ZoneMembership(
            store: store, sealer: sealer, genesis: keys.genesis, first: keys.firstRoot, person: keys.person,
            firstLane: keys.firstLane, random: random.split())
        rows = GroupRows(store, membership)
        self.keys = keys
        self.random = random
        try readEntrance()
    }

    var state: LedgerState { membership.state }
    var member: MemberID { keys.member }
    var owns: Bool { state.owner == member }

    // MARK: Standing

    var access: GroupAccess {
        let state = state
        if membership.isMemberDismissed || membership.ownStanding == .removed { return .removed }
        if membership.hasMemberLeft { return .left }
        if membership.isOver { return .removed }
        if state.isClosed { return .closed }
        if let lapsed { return lapsed }
        switch membership.ownStanding {
        case .active, .succeeded: return state.isSuspended(member) ? .suspended : .member
        case .left, .removed: return .removed
        case .lapsed, .displaced, .unknown: return .joining
        }
    }

    /// Whether a member was removed: this one also if only a peer has shown it. So it sees itself as the others do.
    func isDismissed(_ other: MemberID) -> Bool {
        other == member ? membership.isMemberDismissed : state.isDismissed(other)
    }

    /// `lapsed`, or `closed` if the group's end took this member's invitation away; nil if nothing did. Judged by the
    /// ledger, and by the records that a peer showed.
    private var lapsed: GroupAccess? {
        guard state.role(of: member) == .none || !lapse.isEmpty else { return nil }
        if let knownLapse, knownLapse.revision == membership.records.revision { return knownLapse.access }
        let known = entrance.isEmpty && lapse.isEmpty ? state : membership.assuming(entrance + lapse) ?? state
        let access: GroupAccess? = !known.hasLapsed(member) ? nil : known.isClosed ? .closed : .lapsed
        knownLapse = (membership.records.revision, access)
        return access
    }

    /// Throws if the others would not accept what this member writes.
    func checkMember(_ need: Role = .viewer) throws {
        switch access {
        case .closed: throw GroupError.closed
        case .removed: throw accountEnd ?? GroupError.expelled
        case .lapsed: throw GroupError.lapsed
        case .left: throw GroupError.departed
        case .joining: throw accountEnd ?? GroupError.joining
        case .member, .suspended: break
        }
        if let accountEnd { throw accountEnd }
        guard state.role(of: member) >= need else { throw GroupError.notAllowed }
    }

    // MARK: Entering

    private static let entranceKey = "entrance"

    private static let lapseKey = "lapse"

    /// Keeps what shows this device's way in, and takes of it what the ledger has room for.
    func keep(entrance records: [[UInt8]]) throws {
        entrance = records
        try put(records, Self.entranceKey)
        if !lapse.isEmpty {
            lapse = []
            try put([], Self.lapseKey)
        }
        _ = try membership.records.take(records)
    }

    /// Takes records that show that this member's invitation was worth nothing before the owner heard of the member.
    func take(lapse shown: [UInt8]) throws {
        guard !membership.isOver, lapsed == nil, let records = ZoneMembership.decode(shown),
            membership.assuming(entrance + records)?.hasLapsed(member) == true
        else { return }
        lapse = records
        try put(records, Self.lapseKey)
    }

    private func put(_ records: [[UInt8]], _ key: String) throws {
        var writer = CBORWriter()
        writer.write(all: records)
        try store.put(setting: key, writer.bytes)
    }

    /// Enters again: once the ledger has what this device needs, it takes this device's Enter too.
    func enterAgain() throws {
        guard !entrance.isEmpty else { return }
        if membership.ownStanding == .active { return try keep(entrance: []) }
        _ = try membership.records.take(entrance)
    }

    func readEntrance() throws {
        entrance = try read(Self.entranceKey)
        lapse = try read(Self.lapseKey)
    }

    private func read(_ key: String) throws -> [[UInt8]] {
        guard let stored = try store.setting(key), !stored.isEmpty else { return [] }
        do {
            var reader = CBORReader(stored)
            return try reader.readRecords(max: Limits.shownRecords)
        } catch {
            throw StoreError.damaged("the entrance to a group")
        }
    }

    // MARK: Writing

    /// Writes a control record.
    ///
    /// - Throws: `GroupError.notAllowed` if nobody would keep it.
    @discardableResult
    func write(_ act: LedgerAct) throws -> RecordHash {
        try store.begin()
        guard let hash = try membership.write(act) else { throw GroupError.notAllowed }
        return hash
    }

    /// Writes a row to this device's lane.
    func put(_ content: GroupRecord) throws {
        try store.write(content.meta, of: content, slotName: Array(content.slotName.utf8), kind: .immutable)
    }
}

extension LedgerState {
    /// True if a member came by a ticket that is worth nothing any more.
    fileprivate func hasLapsed(_ member: MemberID) -> Bool {
        guard role(of: member) == .none else { return false }
        let claims = tickets(claimedBy: member).map { standing(of: $0.ticket, key: $0.key) }
        return !claims.isEmpty
            && claims.allSatisfy { claim in
                switch claim {
                case .revoked, .foreign: true
                case .used(let other): other != member
                case .open, .unknown: isClosed
                }
            }
    }
}

/// This account's standing in a group.
package enum GroupAccess: Hashable, Sendable {
    /// Admitted; the record of the admission is not here yet. Next: any.
    case joining
    case member
    /// Hidden by an admin or the owner until the suspension is lifted. Next: member, removed, closed.
    case suspended
    /// Admitted by a right that the owner had taken without knowing of the admission: by a revoked invitation, or by a
    /// removed member. Another invitation admits the same key. Next: joining, member, removed, closed.
    case lapsed
    /// Left voluntarily, on this or another device. Another invitation admits it again. Next: joining, member, removed,
    /// closed.
    case left
    /// Removed by the owner. Final for this key; the local copy stays readable.
    case removed
    /// The group was deleted. Final.
    case closed
}
