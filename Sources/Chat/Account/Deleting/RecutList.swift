import SyncState

/// Segments of this device, by sequence number, that contain deleted messages and must be rewritten.
final class RecutList {
    private let database: Database
    private(set) var count = 0
    private let insert, first, delete, number: Statement

    init(_ database: Database) throws {
        self.database = database
        insert = try database.prepare("INSERT OR IGNORE INTO recut(seq) VALUES(?)")
        first = try database.prepare("SELECT seq FROM recut ORDER BY seq LIMIT ?")
        delete = try database.prepare("DELETE FROM recut WHERE seq = ?")
        number = try database.prepare("SELECT count(*) FROM recut")
        try load()
    }

    /// Recounts them, at the start and after a rollback.
    func load() throws {
        defer { number.reset() }
        count = try number.step() ? Int(number.int(0)) : 0
    }

    func add(_ seq: UInt64) throws {
        insert.bind(1, Int64(bitPattern: seq))
        try insert.run()
        count += database.changes
    }

    func take(limit: Int) throws -> [UInt64] {
        guard count > 0 else { return [] }
        first.bind(1, Int64(limit))
        var found: [UInt64] = []
        while try first.step() { found.append(UInt64(bitPattern: first.int(0))) }
        for seq in found {
            delete.bind(1, Int64(bitPattern: seq))
            try delete.run()
        }
        count -= found.count
        return found
    }
}
