import Glibc

/// The file beside a database that lets a store detect that it was copied or restored. Its content is up to the store.
struct GuardFile {
    private let databasePath: String
    private var path: String { databasePath + GuardFile.suffix }
    package static let suffix = ".guard"

    init(databasePath: String) {
        self.databasePath = databasePath
    }

    /// Nil if there is none.
    package var content: [UInt8]? {
        try? FileDescriptor(path: path, flags: O_RDONLY).readAll(limit: 1024)
    }

    /// Identifies where the database lies: this machine (machine-id(5)) and inode. A device number would change with
    /// mounts.
    package var place: [UInt8] {
        var status = stat()
        let found = stat(databasePath, &status) == 0
        let machine = (try? Files.readText("/etc/machine-id", limit: 64)) ?? ""
        return Array("\(machine)/\(found ? "\(status.st_ino)" : "")".utf8)
    }

    /// Durable when it returns.
    package func write(_ bytes: [UInt8]) throws(FileError) {
        try Files.replace(path, with: bytes)
    }
}
