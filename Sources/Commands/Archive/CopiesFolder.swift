import Glibc
package import Node

/// The temporary folder beside a backup's file, with its copies of stores. Others may be able to write beside it, so no
/// link is followed, and nothing is deleted that no backup made.
package struct CopiesFolder {
    package let path: String

    /// Makes the folder. Replaces one left by a killed process of the same id; anything else of that name is an error.
    package init(beside file: String) throws(FileError) {
        path = Self.stem(file) + "\(getpid())"
        remove()
        guard mkdir(path, 0o700) == 0 else { throw .last("mkdir", path) }
    }

    private init(path: String) { self.path = path }

    /// True if this process has copies beside that file.
    static func exists(beside file: String) -> Bool { Files.exists(stem(file) + "\(getpid())") }

    private static func stem(_ file: String) -> String { file + ".copies-" }

    /// Deletes temporary folders left by interrupted backups to `file`.
    package static func removeLeftBehind(beside file: String) {
        for path in Files.leftBehind(stem(file)) { CopiesFolder(path: path).remove() }
    }

    /// True for a private folder of this user, not for a link to one.
    static func isOwn(_ path: String) -> Bool {
        guard let folder = try? FileDescriptor(path: path, flags: flags) else { return false }
        return isOwn(folder)
    }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW

    private static func isOwn(_ folder: borrowing FileDescriptor) -> Bool {
        guard let status = try? folder.status() else { return false }
        return status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }

    /// Deletes the copies, then the folder if it is empty.
    package func remove() {
        guard let folder = try? FileDescriptor(path: path, flags: Self.flags), Self.isOwn(folder) else { return }
        for name in Files.names(in: path) where Self.isCopy(name) { unlinkat(folder.number, name, 0) }
        rmdir(path)
    }

    /// True for a database with a home's naming, and for SQLite's files beside one.
    private static func isCopy(_ name: String) -> Bool {
        [".db", ".db-journal", ".db-wal", ".db-shm"].contains { HomeFolder.isHex(name, suffix: $0) }
    }
}
