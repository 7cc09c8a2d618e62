package import NodeCore
import SyncState

/// The parts' operations under the names that the node uses.
extension AccountZone {
    // MARK: The account's state

    package var state: AccountState? { accountState.state }
    package var syncKeyVersion: UInt64 { accountState.syncKeyVersion }

    package func declare(createdAt: WallTime) throws { try accountState.declare(createdAt: createdAt) }

    package func rotateSyncKey(to wanted: UInt64? = nil, wall: WallTime) throws {
        try accountState.rotateSyncKey(to: wanted, wall: wall)
    }

    package func pause(by: String, wall: WallTime) throws { try accountState.pause(by: by, wall: wall) }
    package func resume() throws { try accountState.resume() }

    // MARK: Conversations and messages

    @discardableResult
    package func change(_ conversation: String, _ changes: [ConversationChange], wall: WallTime) throws -> Bool {
        try details.change(conversation, changes, wall: wall)
    }

    package func delete(message txid: TxID) throws -> DeletionReport { try deletions.delete(message: txid) }

    package func delete(conversation id: String, wall: WallTime) throws -> DeletionReport {
        try deletions.delete(conversation: id, wall: wall)
    }

    package func markRead(_ conversation: String, upTo txid: TxID?, now: MonotonicTime, wall: WallTime) throws -> Bool {
        try reads.markRead(conversation, upTo: txid, now: now, wall: wall)
    }

    package func leave(_ conversation: String) throws { try reads.leave(conversation) }
    package func publishReads() throws { try reads.publishReads() }
    package func livePosition(_ conversation: String) throws -> ReadPosition { try reads.livePosition(conversation) }

    // MARK: Devices

    package var description: DeviceDescription? { devices.description }

    package func describe(name: String, appVersion: String, wall: WallTime) throws {
        try devices.describe(name: name, appVersion: appVersion, wall: wall)
    }

    package func rename(_ name: String, wall: WallTime) throws { try devices.rename(name, wall: wall) }

    package func rename(_ id: LaneID, to name: String, wall: WallTime) throws {
        try devices.rename(id, to: name, wall: wall)
    }

    package func devices(wall: WallTime) throws -> [AccountDevice] { try devices.all(wall: wall) }

    @discardableResult
    package func forget(_ id: LaneID, wall: WallTime) throws -> AccountDevice { try devices.forget(id, wall: wall) }
}
