import SyncState

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of its own for a test's database, removed with it.
final class TemporaryDatabase {
    let folder: String
    var path: String { folder + "/zone.db" }

    init() {
        var template = Array("/tmp/kachat-test-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/tmp"
        }
    }

    deinit {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        rmdir(folder)
    }

    func open() throws -> Database {
        try Database(path: path)
    }
}
