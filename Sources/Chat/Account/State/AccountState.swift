package import NodeCore
package import SyncState

/// The fields of an `AccountState` record: `[schemaVersion, syncKeyVersion, createdAt]`. A join: whatever the order in
/// which registers come in, all devices end with the same one.
package struct AccountState: Hashable, Sendable {
    /// The highest layout of chat records that a device of the account writes.
    package var schemaVersion: UInt64
    /// The highest version of keys that a device of the account writes under, from 1.
    package var syncKeyVersion: UInt64
    /// When the first of the account's devices made or imported it.
    package var createdAt: WallTime

    package init(schemaVersion: UInt64 = Limits.schemaVersion, syncKeyVersion: UInt64, createdAt: WallTime) {
        self.schemaVersion = schemaVersion
        self.syncKeyVersion = syncKeyVersion
        self.createdAt = createdAt
    }

    /// One a device: its lane tells whose.
    package static let slotName = "account"

    package func merged(with other: AccountState) -> AccountState {
        AccountState(
            schemaVersion: max(schemaVersion, other.schemaVersion),
            syncKeyVersion: max(syncKeyVersion, other.syncKeyVersion),
            createdAt: min(createdAt, other.createdAt))
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.writeArray(3)
        writer.write(schemaVersion)
        writer.write(syncKeyVersion)
        writer.write(createdAt.milliseconds)
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(CBORError) {
        var reader = CBORReader(encoded)
        guard try reader.readArray(max: 3) == 3 else { throw .unexpectedType(at: 0) }
        schemaVersion = try reader.readUInt()
        syncKeyVersion = try reader.readUInt()
        guard (1...Limits.syncKeyVersion).contains(syncKeyVersion) else { throw .outOfRange(at: 0) }
        createdAt = WallTime(milliseconds: try reader.readInt())
        try reader.finish()
    }
}

extension AccountState: Joinable {}

extension AccountState: AccountRecord {
    package static var metaType: MetaType { .accountState }
    package static var kind: RecordKind { .register }
    package init(fields: [UInt8], hasBlob: Bool) throws { try self.init(encoded: fields) }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName.utf8) }
}
