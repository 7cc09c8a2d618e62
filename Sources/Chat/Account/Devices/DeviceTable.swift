import NodeCore
import SyncState

/// Facts about the account's devices: how each described itself, and up to which time it was known to hold everything.
struct DeviceTable {
    static var migration: Migration {
        Migration(
            "devices",
            sql: "CREATE TABLE device(lane BLOB PRIMARY KEY, description BLOB, holds_up_to INTEGER) WITHOUT ROWID;")
    }

    private static var sightings: Migration {
        Migration(
            "sightings",
            sql: """
                CREATE TABLE sighting(
                    id INTEGER PRIMARY KEY, day INTEGER NOT NULL, lane BLOB NOT NULL, UNIQUE(day, lane));
                CREATE INDEX sighting_lane ON sighting(lane);
                """)
    }

    private static var noSightings: Migration { Migration("no sightings", sql: "DROP TABLE sighting;") }

    private let putDescription, putHolds, one: Statement

    init(database: Database) throws {
        try database.migrate("devices", [Self.migration, Self.sightings, GivenNames.migration, Self.noSightings])
        putDescription = try database.prepare(
            """
            INSERT INTO device(lane, description) VALUES(?1, ?2)
            ON CONFLICT(lane) DO UPDATE SET description = ?2
            """)
        putHolds = try database.prepare(
            """
            INSERT INTO device(lane, holds_up_to) VALUES(?1, ?2)
            ON CONFLICT(lane) DO UPDATE SET holds_up_to = ?2 WHERE holds_up_to IS NOT ?2
            """)
        one = try database.prepare("SELECT description, holds_up_to FROM device WHERE lane = ?")
    }

    func put(_ description: DeviceDescription, lane: LaneID) throws {
        putDescription.bind(1, lane.bytes)
        putDescription.bind(2, description.encoded)
        try putDescription.run()
    }

    func put(holdsUpTo: WallTime, lane: LaneID) throws {
        putHolds.bind(1, lane.bytes)
        putHolds.bind(2, holdsUpTo.milliseconds)
        try putHolds.run()
    }

    func seen(_ lane: LaneID) throws -> (description: DeviceDescription?, holdsUpTo: WallTime?) {
        one.bind(1, lane.bytes)
        defer { one.reset() }
        guard try one.step() else { return (nil, nil) }
        return (
            one.isNull(0) ? nil : try? DeviceDescription(encoded: one.blob(0)),
            one.optionalInt(1).map { WallTime(milliseconds: $0) }
        )
    }
}
