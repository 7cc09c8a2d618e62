import NodeCore
import SyncState

/// The account's states whose rows are held, one a lane: what a newcomer would compute.
struct LiveAccountStates {
    static var migration: Migration {
        Migration(
            "live account states",
            sql: "CREATE TABLE live_account_state(lane BLOB PRIMARY KEY, state BLOB NOT NULL) WITHOUT ROWID;")
    }

    private let putState, deleteState, every: Statement
    /// The live registers changed since they were last compared with the effective state.
    private var isSuspect = false

    init(_ database: Database) throws {
        putState = try database.prepare("INSERT OR REPLACE INTO live_account_state VALUES(?, ?)")
        deleteState = try database.prepare("DELETE FROM live_account_state WHERE lane = ?")
        every = try database.prepare("SELECT state FROM live_account_state ORDER BY lane")
    }

    mutating func put(_ state: AccountState, lane: LaneID) throws {
        putState.bind(1, lane.bytes)
        putState.bind(2, state.encoded)
        try putState.run()
        isSuspect = true
    }

    mutating func remove(lane: LaneID) throws {
        deleteState.bind(1, lane.bytes)
        try deleteState.run()
        isSuspect = true
    }

    /// A register counted without a row of its own.
    mutating func suspect() { isSuspect = true }

    mutating func takeSuspicion() -> Bool {
        defer { isSuspect = false }
        return isSuspect
    }

    /// What the live registers say together; nil where there is none.
    func merged() throws -> AccountState? {
        defer { every.reset() }
        var merged: AccountState?
        while try every.step() {
            let state = try AccountState(encoded: every.blob(0))
            merged = merged?.merged(with: state) ?? state
        }
        return merged
    }
}
