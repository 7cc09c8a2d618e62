import Glibc

/// What a restore keeps in the home that it fills: the identity, under a name that makes no home of it. The last step
/// gives it its own name, so a home has an identity only where all the rest is there, too; and where a restore was
/// killed, the next one knows by it that the stores are nobody's.
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

    /// The home has its identity from now on (rename(2), fsync(2) of the folder).
    package func finish() throws(NodeError) {
        do {
            guard rename(path, home.identityPath) == 0 else { throw FileError.last("rename", home.identityPath) }
            try FileDescriptor(path: home.path, flags: O_RDONLY | O_DIRECTORY).synchronize()
        } catch let error as FileError {
            throw home.notWritable(error)
        } catch {
            preconditionFailure("invariant: only the error above is thrown")
        }
    }

    /// Takes away what a restore left that did not finish. Never touches a home that has an identity, nor one in which
    /// no restore began. The lock is held.
    package func discard() {
        unlink(path + ".new")
        guard Files.exists(path), !home.hasIdentity else { return }
        for name in Files.names(in: home.zonesPath) where Self.isOfStore(name) { unlink(home.zonesPath + "/" + name) }
        // Last: until then the rest is known to be of a restore.
        unlink(path)
    }

    /// A store, or what SQLite, the guard and the restore put beside one.
    private static func isOfStore(_ name: String) -> Bool {
        let end = name.index(name.startIndex, offsetBy: 19, limitedBy: name.endIndex) ?? name.endIndex
        let suffixes = ["", ".new", "-wal", "-shm", "-journal", GuardFile.suffix, GuardFile.suffix + ".new"]
        return HomeFolder.isDatabase(String(name[..<end])) && suffixes.contains(String(name[end...]))
    }
}
