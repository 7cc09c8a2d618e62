import Glibc
import ProcessHarness
import SyncState

/// The node's own tables, without the node.
enum PlainStore {
    /// The database of a home with one zone.
    static func path(in home: String) throws -> String {
        let zones = home + "/zones"
        guard let name = FileTree.names(in: zones).first(where: { $0.hasSuffix(".db") }) else {
            throw BenchError("\(home) has no zone")
        }
        return zones + "/" + name
    }

    /// An empty database in a new folder.
    static func make(in folder: String) throws -> Database {
        mkdir(folder, 0o700)
        let database = try Database(path: folder + "/plain.db")
        try database.migrate("zone", ZoneSchema.migrations)
        return database
    }
}
