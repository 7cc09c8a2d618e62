import Chat
import Glibc
package import Node
package import NodeCore

/// Fills a new home from a backup. It writes the identity last, so a restore that was killed can be repeated.
package enum HomeRestore {
    /// - Throws: `already-initialised` for a home that has an identity.
    package static func refuseTaken(_ home: HomeFolder) throws(NodeError) {
        guard !home.hasIdentity else {
            throw NodeError(
                .alreadyInitialised, "\(home.path) already has an identity: restore to a new home (--home DIR)")
        }
    }

    /// - Returns: the node, as a new device of its accounts.
    package static func run(
        _ reader: ContainerReader, _ backup: BackupIdentity, to home: HomeFolder, clock: any Clock
    ) throws(NodeError) -> LocalNode {
        try home.create()
        let lock = try HomeLock(home)
        try refuseTaken(home)
        let unfinished = UnfinishedRestore(home: home)
        unfinished.discard()
        guard !Files.names(in: home.zonesPath).contains(where: { HomeFolder.isDatabase($0) }) else {
            throw NodeError(.exists, "\(home.zonesPath) already has stores: restore to a new home (--home DIR)")
        }
        var node: LocalNode?
        do throws(NodeError) {
            try unfinished.begin(backup.identity)
            try writeFiles(reader, backup.identity, home)
            let opened = try LocalNode(
                home: home, lock: lock, identity: backup.identity, signers: backup.signers, clock: clock)
            node = opened
            if let unopened = opened.unopened.first { throw unopened.error }
            try takeOver(reader, opened)
            try unfinished.finish()
            return opened
        } catch {
            node?.close()
            node = nil
            unfinished.discard()
            throw error
        }
    }

    private static func writeFiles(
        _ reader: ContainerReader, _ identity: Identity, _ home: HomeFolder
    ) throws(NodeError) {
        var stores: [(part: ContainerPart, path: String)] = []
        for account in identity.accounts {
            let path = home.databasePath(of: account.keys.zone)
            let name = String(path.split(separator: "/").last ?? "")
            guard let part = reader.parts.first(where: { $0.kind == .database && $0.name == name }) else {
                throw NodeError(.damaged, "\(reader.path) lacks the store of account \(account.accountID.shortHex)")
            }
            stores.append((part, path))
        }
        stores += groupStores(reader, home)
        for store in stores { try write(store.part, of: reader, to: store.path, home) }
        if let settings = reader.parts.first(where: { $0.kind == .settings }) {
            try write(settings, of: reader, to: home.settingsPath, home)
        }
        let results = reader.parts.filter { $0.kind == .results && LeftScores.isFile($0.name) }
        guard !results.isEmpty else { return }
        do {
            try Files.makeFolders(home.leftScoresPath)
        } catch {
            throw home.notWritable(error)
        }
        for part in results { try write(part, of: reader, to: home.leftScoresPath + "/" + part.name, home) }
    }

    /// The stores of the accounts' groups; the memberships decide which of them are opened. A name counts only if it
    /// names a zone's file.
    private static func groupStores(
        _ reader: ContainerReader, _ home: HomeFolder
    ) -> [(part: ContainerPart, path: String)] {
        let listed = Set((reader.manifest["groups"]?.elements ?? []).compactMap { $0["store"]?.text })
        return reader.parts.filter { part in
            part.kind == .database && listed.contains(part.name) && HomeFolder.isDatabase(part.name)
        }.map { ($0, home.zonesPath + "/" + $0.name) }
    }

    /// Writes the file durably, or leaves nothing.
    private static func write(
        _ part: ContainerPart, of reader: ContainerReader, to path: String, _ home: HomeFolder
    ) throws(NodeError) {
        let temporary = path + ".new"
        unlink(temporary)
        do {
            let file = try FileDescriptor(path: temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
            let stream = reader.stream(part)
            while let piece = try stream.next() { try file.write(piece) }
            try file.synchronize()
            try Files.put(temporary, at: path)
        } catch {
            unlink(temporary)
            throw (error as? FileError).map { home.notWritable($0) } ?? NodeError(cause: error)
        }
    }

    /// Without the device's own secret in the backup, this is another device that continues in place of the old one.
    /// Otherwise the stores start a new lane by their guard.
    private static func takeOver(_ reader: ContainerReader, _ node: LocalNode) throws(NodeError) {
        let listed = reader.manifest["accounts"]?.elements ?? []
        guard reader.keys == nil else { return }
        for account in node.accounts {
            let old = listed.first { $0["accountId"]?.text == account.accountID.hex }?["deviceId"]?.text
            guard let old = old.flatMap({ LaneID(hex: $0) }) else { continue }
            do {
                try account.zone.takeOver(from: old)
            } catch {
                throw NodeError(cause: error)
            }
            try account.commit()
        }
    }
}
