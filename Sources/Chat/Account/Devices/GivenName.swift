package import NodeCore
package import SyncState

/// The fields of a `GivenName` record: `[lane, name, revision]`, what the device that writes the lane is to be called.
///
/// Of several the one with the highest revision counts, and of those the one with the greater name.
package struct GivenName: Hashable, Sendable {
    package let device: LaneID
    /// 1 to 128 bytes of UTF-8.
    package let name: String
    /// From 1: one above the highest that was known where it was given.
    package let revision: UInt64

    package var slotName: String { "name.\(device.hex)" }

    package init(device: LaneID, name: String, revision: UInt64) {
        self.device = device
        self.name = name
        self.revision = revision
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.writeArray(3)
        writer.write(device)
        writer.write(text: name)
        writer.write(revision)
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(CBORError) {
        var reader = CBORReader(encoded)
        guard try reader.readArray(max: 3) == 3 else { throw .unexpectedType(at: 0) }
        device = try reader.read(LaneID.self)
        name = try reader.readText(max: Limits.deviceNameBytes)
        revision = try reader.readUInt()
        guard !name.isEmpty, (1...Limits.givenNameRevision).contains(revision) else { throw .outOfRange(at: 0) }
        try reader.finish()
    }
}

extension GivenName: AccountRecord {
    package static var metaType: MetaType { .givenName }
    package static var kind: RecordKind { .register }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(encoded: fields) }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(slotName.utf8) }
}
