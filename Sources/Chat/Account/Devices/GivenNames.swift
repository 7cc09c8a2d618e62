import NodeCore
import SyncState

/// The given names whose rows are held, one a device and lane: what a newcomer would compute.
struct GivenNames {
    static var migration: Migration {
        Migration(
            "given names",
            sql: """
                CREATE TABLE given_name(
                    device BLOB NOT NULL, lane BLOB NOT NULL, revision INTEGER NOT NULL, name TEXT NOT NULL,
                    PRIMARY KEY(device, lane)) WITHOUT ROWID;
                """)
    }

    private let putName, deleteName, best, ofLane: Statement

    init(_ database: Database) throws {
        putName = try database.prepare("INSERT OR REPLACE INTO given_name VALUES(?, ?, ?, ?)")
        deleteName = try database.prepare("DELETE FROM given_name WHERE device = ? AND lane = ?")
        best = try database.prepare(
            "SELECT name, revision FROM given_name WHERE device = ? ORDER BY revision DESC, name DESC LIMIT 1")
        ofLane = try database.prepare("SELECT name, revision FROM given_name WHERE device = ? AND lane = ?")
    }

    func put(_ given: GivenName, lane: LaneID) throws {
        putName.bind(1, given.device.bytes)
        putName.bind(2, lane.bytes)
        putName.bind(3, Int64(given.revision))
        putName.bind(4, given.name)
        try putName.run()
    }

    func remove(_ given: GivenName, lane: LaneID) throws {
        deleteName.bind(1, given.device.bytes)
        deleteName.bind(2, lane.bytes)
        try deleteName.run()
    }

    /// The one that counts; nil where the device is called what it calls itself.
    func name(of device: LaneID) throws -> GivenName? {
        best.bind(1, device.bytes)
        return try one(best, device)
    }

    /// What this lane says of the device.
    func name(of device: LaneID, by lane: LaneID) throws -> GivenName? {
        ofLane.bind(1, device.bytes)
        ofLane.bind(2, lane.bytes)
        return try one(ofLane, device)
    }

    private func one(_ statement: Statement, _ device: LaneID) throws -> GivenName? {
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return GivenName(device: device, name: statement.text(0), revision: UInt64(clamping: statement.int(1)))
    }
}
