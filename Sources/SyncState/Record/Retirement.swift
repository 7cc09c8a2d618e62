package import NodeCore

/// The fields of a `Retire` record: `[lane, through]`.
package struct Retirement: Hashable, RecordContent {
    /// The number of its type, in zones that have it.
    package static let type: UInt64 = 10

    /// The lane that is retired.
    package let lane: LaneID
    /// Registers up to this seq are dropped: those the retirer had read. 0 if a fork is possible.
    package let through: UInt64

    package init(lane: LaneID, through: UInt64) {
        self.lane = lane
        self.through = through
    }

    package var slotName: String { "retire.\(lane.hex)" }

    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.writeArray(2)
        writer.write(lane)
        writer.write(through)
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(CBORError) {
        var reader = CBORReader(encoded)
        guard try reader.readArray(max: 2) == 2 else { throw .unexpectedType(at: 0) }
        lane = try reader.read(LaneID.self)
        through = try reader.readUInt()
        try reader.finish()
    }
}
