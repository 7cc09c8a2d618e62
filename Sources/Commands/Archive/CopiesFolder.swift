import Glibc
package import Node

/// The folder beside a backup's file that its copies of stores lie in meanwhile. Others may be able to write there, so
/// nothing is followed or taken away that is not of a backup's making.
package struct CopiesFolder {
    package let path: String

    /// Makes it. What a killed process of the same number left behind goes; anything else of that name is an error.
    package init(beside file: String) throws(FileError) {
        path = Self.stem(file) + "\(ProcessID.current)"
        remove()
        guard mkdir(path, 0o700) == 0 else { throw .last("mkdir", path) }
    }

    private init(path: String) { self.path = path }

    private static func stem(_ file: String) -> String { file + ".copies-" }

    /// Takes away what backups to that file left behind that were killed.
    package static func removeLeftBehind(beside file: String) {
        for path in Files.leftBehind(stem(file)) { CopiesFolder(path: path).remove() }
    }

    /// Whether it is a folder of this user's alone, and no link to one.
    static func isOwn(_ path: String) -> Bool {
        guard let folder = try? FileDescriptor(path: path, flags: flags) else { return false }
        return isOwn(folder)
    }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW

    private static func isOwn(_ folder: borrowing FileDescriptor) -> Bool {
        guard let status = try? folder.status() else { return false }
        return status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }

    /// Takes the copies away, and then the folder, if that was all.
    package func remove() {
        guard let folder = try? FileDescriptor(path: path, flags: Self.flags), Self.isOwn(folder) else { return }
        for name in Files.names(in: path) where Self.isCopy(name) { unlinkat(folder.number, name, 0) }
        rmdir(path)
    }

    /// A database as a home names it, and what SQLite makes beside one while it writes.
    private static func isCopy(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && ["db", "db-journal", "db-wal", "db-shm"].contains(parts[1])
            && parts[0].utf8.count == 16 && parts[0].allSatisfy(\.isHexDigit)
    }
}
