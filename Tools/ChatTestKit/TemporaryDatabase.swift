package import SyncState

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A temporary folder for a test's database, removed with this object.
package final class TemporaryDatabase {
    package let folder: String
    package var path: String { folder + "/zone.db" }

    package init() {
        var template = Array("/tmp/kachat-test-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/tmp"
        }
    }

    deinit {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        rmdir(folder)
    }

    package func open() throws -> Database {
        try Database(path: path)
    }
}
