package import NodeCore
package import SyncState

/// State shared by all devices of the account: the join of their registers (docs/PROTOCOL-CHAT.md, §4.9). Also whether
/// the account is paused.
package final class AccountStatePart: JoinedPart {
    private static let stateKey = "account state"
    private static let pauseKey = "pause"

    let context: AccountContext
    var suspects: Set<WholeAccount> = []
    private let rows: LiveAccountStates
    /// The join of all devices' registers; nil before the first.
    package private(set) var state: AccountState?
    /// Nil while sync is not paused.
    package private(set) var pause: ZonePause?

    init(_ context: AccountContext) throws {
        self.context = context
        rows = try LiveAccountStates(context.database)
    }

    /// Joins this device's knowledge of the account, at each start. Only writes what no live register shows.
    package func declare(createdAt: WallTime) throws {
        let own = AccountState(createdAt: createdAt)
        if let live = try rows.merged(), live.contains(own) { return }
        try context.store.begin()
        try write(own)
    }

    // MARK: Registers

    func held(_ content: AccountState, in lane: LaneID) throws {
        try rows.put(content, lane: lane)
        try follow(state?.merged(with: content) ?? content, about: WholeAccount())
    }

    func follow(_ live: AccountState?, about subject: WholeAccount) throws {
        guard live != state else { return }
        state = live
        try context.store.put(setting: Self.stateKey, live?.encoded ?? [])
        context.changes.note(.account)
    }

    func lost(_ content: AccountState, in lane: LaneID) throws {
        try rows.remove(lane: lane)
        suspect(WholeAccount())
    }

    func isTaken(_ content: AccountState, in lane: LaneID) throws -> Bool {
        try rows.state(of: lane) == content && state?.contains(content) == true
    }

    func rowsLost(in lane: LaneID) throws {
        guard let held = try rows.state(of: lane) else { return }
        try settle([held], in: lane, context)
    }

    func subject(of content: AccountState) -> WholeAccount { WholeAccount() }
    func live(_ subject: WholeAccount) throws -> AccountState? { try rows.merged() }

    func reload() throws {
        state = try context.store.setting(Self.stateKey).flatMap { $0.isEmpty ? nil : try AccountState(encoded: $0) }
        pause = try context.store.setting(Self.pauseKey).flatMap { try ZonePause(stored: $0) }
        suspects = []
    }

    // MARK: Pause

    /// Pauses sync from the next commit on; no effect if it is already paused.
    ///
    /// - Parameter by: who asks for it, at most `SyncState.Limits.pausedByBytes` of UTF-8.
    package func pause(by: String, wall: WallTime) throws {
        guard pause == nil else { return }
        let asked = ZonePause(by: by, since: wall)
        try context.store.put(setting: Self.pauseKey, asked.encoded)
        pause = asked
        context.changes.note(.account)
    }

    /// Resumes sync. Segments that became due meanwhile are cut in the next turn.
    package func resume() throws {
        guard pause != nil else { return }
        try context.store.put(setting: Self.pauseKey, [])
        pause = nil
        context.changes.note(.account)
    }
}

/// The account's states whose rows are held, one per lane.
private struct LiveAccountStates {
    static var migration: Migration {
        Migration(
            "live account states",
            sql: "CREATE TABLE live_account_state(lane BLOB PRIMARY KEY, state BLOB NOT NULL) WITHOUT ROWID;")
    }

    private let putState, deleteState, ofLane, every: Statement

    init(_ database: Database) throws {
        try database.migrate("account state", [Self.migration])
        putState = try database.prepare("INSERT OR REPLACE INTO live_account_state VALUES(?, ?)")
        deleteState = try database.prepare("DELETE FROM live_account_state WHERE lane = ?")
        ofLane = try database.prepare("SELECT state FROM live_account_state WHERE lane = ?")
        every = try database.prepare("SELECT state FROM live_account_state ORDER BY lane")
    }

    func put(_ state: AccountState, lane: LaneID) throws { try putState.run(lane.bytes, state.encoded) }

    func remove(lane: LaneID) throws { try deleteState.run(lane.bytes) }

    func state(of lane: LaneID) throws -> AccountState? {
        try ofLane.first(lane.bytes) { try AccountState(encoded: $0.blob(0)) }
    }

    /// Their join; nil if there is none.
    func merged() throws -> AccountState? {
        try every.all { try AccountState(encoded: $0.blob(0)) }.reduce(nil) { $0?.merged(with: $1) ?? $1 }
    }
}

/// The fields of an `AccountState` record: `[schemaVersion, createdAt]`. A join: all devices end up
/// with the same state, whatever the order in which registers arrive.
package struct AccountState: Joinable, Hashable, Sendable {
    /// The highest chat record layout that a device of the account writes.
    package var schemaVersion: UInt64 = Limits.schemaVersion
    /// When the account's first device created or imported it.
    package var createdAt: WallTime

    /// One per device, identified by its lane.
    package static let slotName = "account"

    package func merged(with other: AccountState) -> AccountState {
        AccountState(
            schemaVersion: max(schemaVersion, other.schemaVersion),
            createdAt: min(createdAt, other.createdAt))
    }
}

extension AccountState: AccountRecord {
    package static var metaType: MetaType { .accountState }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName.utf8) }

    package var encoded: [UInt8] {
        CBORWriter.array(schemaVersion, createdAt)
    }

    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = try CBORReader(fields, array: 2)
        schemaVersion = try reader.readUInt()
        createdAt = try reader.readTime()
        try reader.finish()
    }
}
