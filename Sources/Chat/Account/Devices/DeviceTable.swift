import NodeCore
import SyncState

/// Facts about the account's devices: how each described itself, even if its lane has since been retired, and up to
/// which time it was known to hold everything.
struct DeviceTable {
    static var migration: Migration {
        Migration(
            "devices",
            sql: "CREATE TABLE device(lane BLOB PRIMARY KEY, description BLOB, holds_up_to INTEGER) WITHOUT ROWID;")
    }

    private let putDescription, putHolds, one: Statement

    init(database: Database) throws {
        try database.migrate("devices", [Self.migration, DeviceSightings.migration, GivenNames.migration])
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

/// The days on which this node saw each lane advance, by its own clock (docs/STORAGE.md, §3.3).
///
/// A device has been silent for as many days as there are distinct UTC days, since its lane last advanced, on which
/// another device's did. So a wrong clock, here or there, retires nobody, and a node that meets nobody counts nothing.
struct DeviceSightings {
    static var migration: Migration {
        Migration(
            "sightings",
            sql: """
                CREATE TABLE sighting(
                    id INTEGER PRIMARY KEY, day INTEGER NOT NULL, lane BLOB NOT NULL, UNIQUE(day, lane));
                CREATE INDEX sighting_lane ON sighting(lane);
                """)
    }

    private let put, prune, silence: Statement
    /// The day last recorded for each lane; looked up for each arriving record.
    private var entered: [LaneID: Int64] = [:]
    /// Something was recorded since the last call of `takeFresh`.
    private(set) var isFresh = false

    init(database: Database) throws {
        put = try database.prepare("INSERT OR IGNORE INTO sighting(day, lane) VALUES(?, ?)")
        prune = try database.prepare("DELETE FROM sighting WHERE id <= (SELECT max(id) FROM sighting) - ?")
        silence = try database.prepare(
            """
            SELECT count(DISTINCT day) FROM sighting WHERE lane NOT IN (?1, ?2)
            AND id > coalesce((SELECT max(id) FROM sighting WHERE lane = ?1), 0)
            AND day NOT IN (SELECT day FROM sighting WHERE lane = ?1)
            """)
    }

    private static func day(_ wall: WallTime) -> Int64 {
        wall.milliseconds.quotientAndRemainder(dividingBy: 86_400_000).quotient
    }

    /// Whether this day is already recorded for a lane.
    func knows(_ lane: LaneID, wall: WallTime) -> Bool { entered[lane] == Self.day(wall) }

    /// A lane was seen to advance.
    mutating func saw(_ lane: LaneID, wall: WallTime) throws {
        let day = Self.day(wall)
        put.bind(1, day)
        put.bind(2, lane.bytes)
        try put.run()
        entered[lane] = day
        isFresh = true
    }

    /// Number of days on which a device other than this one and `own` advanced, and this one did not.
    func silentDays(of lane: LaneID, own: LaneID) throws -> Int {
        silence.bind(1, lane.bytes)
        silence.bind(2, own.bytes)
        defer { silence.reset() }
        return try silence.step() ? Int(silence.int(0)) : 0
    }

    /// Whether somebody may have become silent since the last call.
    mutating func takeFresh() throws -> Bool {
        guard isFresh else { return false }
        isFresh = false
        prune.bind(1, Limits.keptSightings)
        try prune.run()
        return true
    }

    /// Discards state that a rollback has undone.
    mutating func forget() {
        entered = [:]
        isFresh = false
    }
}
