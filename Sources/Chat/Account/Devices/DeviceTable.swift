import NodeCore
import SyncState

/// How each of the account's devices described itself.
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

    private static var noHolds: Migration { Migration("no holds", sql: "ALTER TABLE device DROP COLUMN holds_up_to;") }

    private let putDescription, forgetDescription, one: Statement

    init(database: Database) throws {
        try database.migrate(
            "devices", [Self.migration, Self.sightings, GivenNames.migration, Self.noSightings, Self.noHolds])
        putDescription = try database.prepare(
            """
            INSERT INTO device(lane, description) VALUES(?1, ?2)
            ON CONFLICT(lane) DO UPDATE SET description = ?2
            """)
        forgetDescription = try database.prepare("UPDATE device SET description = NULL WHERE lane = ?")
        one = try database.prepare("SELECT description FROM device WHERE lane = ?")
    }

    func put(_ description: DeviceDescription, lane: LaneID) throws {
        try putDescription.run(lane.bytes, description.encoded)
    }

    func forget(_ lane: LaneID) throws { try forgetDescription.run(lane.bytes) }

    func description(of lane: LaneID) throws -> DeviceDescription? {
        try one.first(lane.bytes) { try? DeviceDescription(encoded: $0.blob(0)) }
    }
}
