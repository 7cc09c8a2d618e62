package import NodeCore
package import SyncState

/// The fields of an `Achievements` record: `[payloadVersion, lastUpdated, summary, payload / null]`. What is too much
/// for a record stands in its blob; the summary can be read without.
package struct AchievementRecord: Sendable {
    package let payloadVersion: UInt64
    /// The later update of all.
    package let lastUpdated: WallTime
    /// `CategorySummary.encode`
    package let summary: [UInt8]
    /// Nil where it is in the blob.
    package let payload: [UInt8]?

    package static let slotName = "achievements"

    init(_ set: AchievementSet, payload: [UInt8]?) {
        payloadVersion = set.version
        lastUpdated = set.lastUpdated ?? WallTime(milliseconds: 0)
        summary = CategorySummary.encode(set.summary)
        self.payload = payload
    }

    /// Whether a payload stands in the record itself.
    static func fits(_ payload: [UInt8], beside set: AchievementSet) -> Bool {
        payload.count + CategorySummary.encode(set.summary).count <= Limits.achievementInlineBytes
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 64 + summary.count + (payload?.count ?? 0))
        writer.writeArray(4)
        writer.write(payloadVersion)
        writer.write(lastUpdated.milliseconds)
        writer.write(bytes: summary)
        if let payload { writer.write(bytes: payload) } else { writer.writeNull() }
        return writer.bytes
    }

    package init(encoded: [UInt8], hasBlob: Bool) throws {
        var reader = CBORReader(encoded)
        guard try reader.readArray(max: 4) == 4 else { throw AchievementError.malformed }
        payloadVersion = try reader.readUInt()
        lastUpdated = WallTime(milliseconds: try reader.readInt())
        summary = try reader.readBytes(max: SyncState.Limits.recordSizeBytes)
        payload = try reader.readNullIfPresent() ? nil : reader.readBytes(max: SyncState.Limits.recordSizeBytes)
        try reader.finish()
        guard (payload == nil) == hasBlob else { throw AchievementError.malformed }
    }
}

extension AchievementRecord: AccountRecord {
    package static var metaType: MetaType { .achievements }
    package static var kind: RecordKind { .register }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(encoded: fields, hasBlob: hasBlob) }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName.utf8) }
}
