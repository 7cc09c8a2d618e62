package import NodeCore
import SyncState

/// What all devices of the account have in common: the state that their registers say together, and the version of
/// keys that follows from it (docs/PROTOCOL.md, §4.9).
extension AccountZone {
    static let stateKey = "account state"
    static let keyVersionKey = "key version"

    /// The version under which this device writes, dials and shows itself.
    package var syncKeyVersion: UInt64 { sealer.current.number }

    /// Joins what this device knows of the account, at each start. Writes only what no live register shows.
    package func declare(createdAt: WallTime) throws {
        try store.begin()
        try join(AccountState(syncKeyVersion: syncKeyVersion, createdAt: createdAt))
        try raiseState()
    }

    /// Goes over to a new version of keys: what is written from now on is sealed under it, sessions are opened under
    /// it, and the other devices follow when they see the account's state. Who only has older keys is left out.
    ///
    /// - Parameter wanted: nil for the next one.
    /// - Throws: `AccountStateError`; nothing is changed then.
    package func rotateSyncKey(to wanted: UInt64? = nil, wall: WallTime) throws {
        let version = wanted ?? syncKeyVersion + 1
        guard version > syncKeyVersion else { throw AccountStateError.versionNotAbove(syncKeyVersion) }
        guard version <= Limits.syncKeyVersion else { throw AccountStateError.versionTooHigh }
        try store.begin()
        try join(AccountState(syncKeyVersion: version, createdAt: state?.createdAt ?? wall))
        try raiseState()
    }

    /// Takes the version that a device of this account told the user: for one that is too far behind to be met.
    package func adopt(syncKeyVersion version: UInt64) throws {
        guard version > syncKeyVersion else { return }
        guard version <= Limits.syncKeyVersion else { throw AccountStateError.versionTooHigh }
        try store.put(setting: Self.keyVersionKey, Self.encoded(version))
        sealer.use(version: version)
    }

    /// A register of some device arrived: it counts, whether or not its row is kept.
    func join(_ other: AccountState) throws {
        try adopt(syncKeyVersion: other.syncKeyVersion)
        let joined = state?.merged(with: other) ?? other
        liveStates.suspect()
        store.mustSettle = true
        guard joined != state else { return }
        state = joined
        changes.note(.account)
        try store.put(setting: Self.stateKey, joined.encoded)
        changes.note(.account)
    }

    /// Raises this device's register where the live ones show less than the effective state.
    func raiseState() throws {
        guard liveStates.takeSuspicion(), let state, try liveStates.merged() != state else { return }
        try writeState(state)
    }

    func writeState(_ state: AccountState) throws {
        try store.write(
            RecordMeta(type: .accountState, fields: state.encoded), slotName: AccountState.slotName, kind: .register)
    }

    /// What is durable, after the start and after a roll-back.
    func loadState() throws {
        state = try store.setting(Self.stateKey).map { try AccountState(encoded: $0) }
        pause = try store.setting(Self.pauseKey).flatMap { try ZonePause(stored: $0) }
        _ = liveStates.takeSuspicion()
        let version = try store.setting(Self.keyVersionKey).map(Self.version) ?? AccountKeys.firstVersion
        sealer.use(version: version)
    }

    private static func encoded(_ version: UInt64) -> [UInt8] {
        var writer = CBORWriter()
        writer.write(version)
        return writer.bytes
    }

    private static func version(_ stored: [UInt8]) throws -> UInt64 {
        var reader = CBORReader(stored)
        let version = try reader.readUInt()
        try reader.finish()
        guard (1...Limits.syncKeyVersion).contains(version) else { throw StoreError.damaged("the key version") }
        return version
    }
}

/// Why a version of keys is not taken.
package enum AccountStateError: Error, Equatable {
    /// The account is at this version already.
    case versionNotAbove(UInt64)
    case versionTooHigh
}
