import Glibc
import NodeCore
import SyncState

/// The node's own tables, without the node.
enum PlainStore {
    /// The database of a home with one zone.
    static func path(in home: String) throws -> String {
        let zones = home + "/zones"
        guard let folder = opendir(zones) else { throw BenchError("\(home) is no home") }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".db") { return zones + "/" + name }
        }
        throw BenchError("\(home) has no zone")
    }

    /// An empty database in a new folder.
    static func make(in folder: String) throws -> Database {
        mkdir(folder, 0o700)
        let database = try Database(path: folder + "/plain.db")
        try database.migrate("zone", ZoneSchema.migrations)
        return database
    }
}
