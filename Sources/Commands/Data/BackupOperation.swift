import Chat
import Glibc
import LeaderboardShare
import Node
import NodeCore
import NodeModel
import SyncState

/// `backup`: copies the stores of all accounts and their groups into the command's folder, in steps. The copies include
/// later writes. The command makes one file of them.
final class BackupOperation: Operation {
    let changesData = false
    private let node: LocalNode
    private let folder: String
    private var zones: ArraySlice<any NodeZone>
    private(set) var stores: [CopiedStore] = []
    private var copy: (zone: any NodeZone, backup: DatabaseBackup, path: String)?

    init(node: LocalNode, folder: String) throws(NodeError) {
        guard folder.hasPrefix("/"), CopiesFolder.isOwn(folder) else {
            throw NodeError(.usage, "backup needs a private folder of this user for its copies")
        }
        if let unopened = node.unopened.first { throw unopened.error }
        if let unopened = node.accounts.lazy.flatMap(\.unopenedGroups).first { throw unopened.error }
        self.node = node
        self.folder = folder
        zones = node.zones[...]
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        guard let copy else {
            guard let zone = zones.popFirst() else { return .done }
            try begin(zone)
            return .again
        }
        // SQLite copies committed data, and not inside a transaction.
        try copy.zone.commit()
        do {
            if try copy.backup.step(pages: Limits.backupSlicePages) {
                let (remaining, pages) = copy.backup.progress
                reply.progress(
                    ["pages": .number(pages - remaining), "of": .number(pages), "isLast": .bool(remaining == 0)])
                return .again
            }
        } catch {
            throw Self.failure(error, copy.path)
        }
        self.copy = nil
        try tell(copy.zone, copy.path, &reply)
        return .again
    }

    private func begin(_ zone: any NodeZone) throws {
        // Writes indexes that wait in memory; otherwise a restore of the copy would have to rebuild them.
        do {
            try zone.replicated.tidy()
            try zone.replicated.commit()
        } catch let error as DatabaseError where error.isDiskFull {
            zone.rollback()
        }
        let path = folder + "/" + (node.home.databasePath(of: zone.placeID).split(separator: "/").last ?? "")
        do {
            // SQLite keeps the mode of an existing file.
            _ = try FileDescriptor(path: path, flags: O_RDWR | O_CREAT | O_EXCL)
            copy = (zone, try DatabaseBackup(of: zone.database, to: path), path)
        } catch let error as FileError {
            throw ContainerWriter.notWritten(path, error)
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// The copy failed, not the store: the turn's changes are kept.
    private static func failure(_ error: any Error, _ path: String) -> NodeError {
        guard let database = error as? DatabaseError, database.isDiskFull else {
            return NodeError(.notWritten, "cannot write the copy \(path): \(error)")
        }
        return NodeError(.notWritten, "cannot write the copy \(path): no room on the disk")
    }

    private func tell(_ zone: any NodeZone, _ path: String, _ reply: inout CommandReply) throws {
        var store = CopiedStore()
        store.file = path
        if let group = zone as? NodeGroup {
            store.accountId = group.owner.accountID.hex
            store.deviceId = group.zone.lane.hex
            store.groupId = group.zone.zone.hex
            store.title = group.title
        } else if let account = zone as? NodeAccount {
            store.accountId = account.accountID.hex
            store.deviceId = account.zone.lane.hex
            store.label = account.label
            store.createdAt = Int(account.createdAt.milliseconds)
            store.messages = try account.messageCount()
        }
        stores.append(store)
        reply.data(store)
    }
}
