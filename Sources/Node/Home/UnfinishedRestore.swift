import Glibc

/// The identity during a restore, under a temporary name in the home being filled. The last step renames it, so a home
/// only has an identity if everything else is there; and if a restore was killed, the next one recognises by it that
/// the stores may be discarded.
package struct UnfinishedRestore {
    package let home: HomeFolder

    package init(home: HomeFolder) {
        self.home = home
    }

    private var path: String { home.path + "/identity.restoring" }

    /// Durable when it returns; nothing else of the restore is written before.
    package func begin(_ identity: Identity) throws(NodeError) {
        try IdentityFile.write(identity, to: path, of: home)
    }

    /// Gives the home its identity.
    package func finish() throws(NodeError) {
        do {
            try Files.put(path, at: home.identityPath)
        } catch {
            throw home.notWritable(error)
        }
    }

    /// Deletes the files of an unfinished restore. Never touches a home that has an identity, or in which no restore
    /// began. The lock must be held.
    package func discard() {
        unlink(path + ".new")
        guard Files.exists(path), !home.hasIdentity else { return }
        for name in Files.names(in: home.zonesPath) where Self.isOfStore(name) { unlink(home.zonesPath + "/" + name) }
        // Last: until then the rest is known to belong to a restore.
        unlink(path)
    }

    /// True for the name of a store, or of a file that SQLite, the guard or the restore put beside one.
    private static func isOfStore(_ name: String) -> Bool {
        let end = name.index(name.startIndex, offsetBy: 19, limitedBy: name.endIndex) ?? name.endIndex
        let suffixes = ["", ".new", "-wal", "-shm", "-journal", GuardFile.suffix, GuardFile.suffix + ".new"]
        return HomeFolder.isDatabase(String(name[..<end])) && suffixes.contains(String(name[end...]))
    }
}
