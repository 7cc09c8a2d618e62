package import NodeCore
import SyncState

/// Names given to devices by other devices of the account (docs/PROTOCOL-CHAT.md, §4.14). Only live registers count.
final class GivenNamesPart: AccountPart {
    private let context: AccountContext
    private let rows: GivenNames

    /// - Precondition: the tables of `DeviceTable` exist.
    init(_ context: AccountContext) throws {
        self.context = context
        rows = try GivenNames(context.database)
    }

    /// The effective given name; nil if the device's own name applies.
    func name(of device: LaneID) throws -> GivenName? { try rows.name(of: device) }

    func give(_ name: String, to device: LaneID) throws {
        guard try rows.name(of: device)?.name != name else { return }
        let held = try rows.names(of: device)
        let revision = Revisions.next(
            above: held.filter { $0.lane != context.lane }.map(\.name.revision),
            own: held.first { $0.lane == context.lane }?.name.revision)
        try context.write(GivenName(device: device, name: name, revision: revision))
    }

    /// Gives the device that writes this lane a name that was given to another lane.
    private func write(_ given: GivenName, of device: LaneID) throws {
        try context.write(GivenName(device: device, name: given.name, revision: given.revision))
    }

    // MARK: Registers

    func held(_ content: GivenName, in lane: LaneID) throws {
        try rows.put(content, lane: lane)
        context.changes.note(.device, device: content.device)
    }

    func lost(_ content: GivenName, in lane: LaneID) throws {
        try rows.remove(content, lane: lane)
        context.changes.note(.device, device: content.device)
    }

    func isTaken(_ content: GivenName, in lane: LaneID) throws -> Bool { try rows.names(by: lane).contains(content) }

    func rowsLost(in lane: LaneID) throws { try settle(rows.names(by: lane), in: lane, context) }

    func republish(from old: LaneID) throws {
        if let given = try rows.name(of: old) { try write(given, of: context.lane) }
    }
}

/// The given names whose rows are held, one per device and lane, as a new device would compute them.
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

    private let putName, deleteName, ofDevice, byLane: Statement

    init(_ database: Database) throws {
        putName = try database.prepare("INSERT OR REPLACE INTO given_name VALUES(?, ?, ?, ?)")
        deleteName = try database.prepare("DELETE FROM given_name WHERE device = ? AND lane = ?")
        ofDevice = try database.prepare("SELECT name, revision, lane FROM given_name WHERE device = ? ORDER BY lane")
        byLane = try database.prepare("SELECT name, revision, device FROM given_name WHERE lane = ? ORDER BY device")
    }

    func put(_ given: GivenName, lane: LaneID) throws {
        try putName.run(given.device.bytes, lane.bytes, Int64(given.revision), given.name)
    }

    func remove(_ given: GivenName, lane: LaneID) throws { try deleteName.run(given.device.bytes, lane.bytes) }

    /// The effective given name; nil if the device's own name applies.
    func name(of device: LaneID) throws -> GivenName? {
        let names = try names(of: device).map(\.name)
        let top = Revisions.highestCounting(names.map(\.revision))
        return names.filter { $0.revision == top }.max { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The names that lanes give the device.
    func names(of device: LaneID) throws -> [(lane: LaneID, name: GivenName)] {
        try ofDevice.all(device.bytes) { row in
            guard let lane = LaneID(bytes: row.blob(2)) else { return nil }
            return (lane, given(row, device))
        }
    }

    /// The names that a lane gives.
    func names(by lane: LaneID) throws -> [GivenName] {
        try byLane.all(lane.bytes) { row in LaneID(bytes: row.blob(2)).map { given(row, $0) } }
    }

    private func given(_ row: Statement, _ device: LaneID) -> GivenName {
        GivenName(device: device, name: row.text(0), revision: UInt64(clamping: row.int(1)))
    }
}

/// The fields of a `GivenName` record: `[lane, name, revision]`, the name for the device that writes the lane.
///
/// Of the names that count (`Revisions`), the one with the highest revision applies; of equal revisions, the greater
/// name.
package struct GivenName: Hashable, Sendable {
    package let device: LaneID
    /// 1 to 128 bytes of UTF-8.
    package let name: String
    /// From 1: one above those that counted for its author.
    package let revision: UInt64

    package var slotName: String { "name.\(device.hex)" }
}

extension GivenName: AccountRecord {
    package static var metaType: MetaType { .givenName }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(slotName.utf8) }

    package var encoded: [UInt8] {
        CBORWriter.array(device, name, revision)
    }

    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = try CBORReader(fields, array: 3)
        device = try reader.read(LaneID.self)
        name = try reader.readText(max: Limits.deviceNameBytes)
        revision = try reader.readUInt()
        guard !name.isEmpty, (1...SyncState.Limits.revision).contains(revision) else {
            throw CBORError.outOfRange(at: 0)
        }
        try reader.finish()
    }
}
