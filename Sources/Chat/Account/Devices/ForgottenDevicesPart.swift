package import NodeCore
import SyncState

/// Devices that the user declared gone on another device. A device that writes again is back (docs/PROTOCOL-CHAT.md,
/// §4.14).
package final class ForgottenDevicesPart: AccountPart {
    private let context: AccountContext
    private let rows: LiveRows<ForgottenDevice>
    /// The highest seq of each lane when its device was forgotten.
    private var through: [LaneID: UInt64] = [:]

    init(_ context: AccountContext) throws {
        self.context = context
        try context.database.migrate(
            "forgotten devices",
            [
                Migration(
                    "forgotten devices",
                    sql: """
                        CREATE TABLE live_forgotten(
                            device BLOB NOT NULL, lane BLOB NOT NULL, content BLOB NOT NULL,
                            PRIMARY KEY(device, lane)) WITHOUT ROWID;
                        """)
            ])
        rows = try LiveRows(
            context.database, .init(table: "live_forgotten", subject: "device", value: "content", isText: false))
    }

    package func contains(_ lane: LaneID) -> Bool {
        guard let through = through[lane] else { return false }
        return context.store.lane(lane)?.highest ?? 0 <= through
    }

    func forget(_ lane: LaneID) throws {
        try context.write(ForgottenDevice(lane: lane, through: context.store.lane(lane)?.highest ?? 0))
    }

    // MARK: Registers

    func held(_ content: ForgottenDevice, in lane: LaneID) throws {
        try rows.put(content, of: content.slotName, lane: lane)
        try count(content.lane)
    }

    func lost(_ content: ForgottenDevice, in lane: LaneID) throws {
        try rows.remove(content.slotName, lane: lane)
        try count(content.lane)
    }

    private func count(_ lane: LaneID) throws {
        through[lane] = try rows.all(of: ForgottenDevice(lane: lane, through: 0).slotName).map(\.through).max()
        context.changes.note(.device, device: lane)
        // Messages of its segments may have to be archived by others.
        context.store.mustSettle = true
    }

    func isTaken(_ content: ForgottenDevice, in lane: LaneID) throws -> Bool {
        try rows.holds(content, of: content.slotName, lane: lane) && through[content.lane] ?? 0 >= content.through
    }

    func rowsLost(in lane: LaneID) throws { try settle(rows.all(in: lane), in: lane, context) }

    func republish(from old: LaneID) throws {
        for content in try rows.all(in: old) { try context.write(content) }
    }

    func reload() throws {
        through = [:]
        for content in try rows.all() { through[content.lane] = max(through[content.lane] ?? 0, content.through) }
    }
}

/// The fields of a `ForgottenDevice` record: `[lane, through]`: the device that writes the lane is gone, unless a later
/// record of it is held.
package struct ForgottenDevice: Hashable, Sendable {
    package let lane: LaneID
    /// The highest seq of the lane that its author held.
    package let through: UInt64

    package var slotName: String { "forgotten.\(lane.hex)" }
}

extension ForgottenDevice: AccountRecord {
    package static var metaType: MetaType { .forgottenDevice }

    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = try CBORReader(fields, array: 2)
        lane = try reader.read(LaneID.self)
        through = try reader.readUInt(max: SyncState.Limits.highestSeq)
        try reader.finish()
    }

    package var encoded: [UInt8] {
        CBORWriter.array(lane, through)
    }

    package func slotName(in lane: LaneID) -> [UInt8] { Array(slotName.utf8) }
}
