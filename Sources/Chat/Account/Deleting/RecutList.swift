package import NodeCore
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
        count = Int(try number.number())
    }

    func add(_ seq: UInt64) throws {
        try insert.run(Int64(bitPattern: seq))
        count += database.changes
    }

    func take(limit: Int) throws -> [UInt64] {
        guard count > 0 else { return [] }
        let found = try first.all(limit) { UInt64(bitPattern: $0.int(0)) }
        for seq in found { try delete.run(Int64(bitPattern: seq)) }
        count -= found.count
        return found
    }
}

/// The effect of a deletion on the archive.
package struct DeletionReport: Sendable {
    /// Messages that were shown and no longer are.
    package var messages = 0
    /// Segments of this device, which are rewritten without the bodies in seven days.
    package var cutAnew = 0
    /// Segments of other devices, which those will rewrite.
    package var waitFor: [(device: LaneID, segments: Int)] = []
    /// Segments whose writer no longer exists: the bodies stay in them, sealed.
    package var staySealed = 0

    /// - Parameter segments: how many of each lane are concerned.
    init(_ segments: [LaneID: Int], in context: AccountContext) {
        for (id, count) in segments.sorted(by: { $0.key < $1.key }) {
            if id == context.lane {
                cutAnew += count
            } else if context.isAbandoned(id) {
                staySealed += count
            } else {
                waitFor.append((id, count))
            }
        }
    }

    func with(messages: Int) -> DeletionReport {
        var report = self
        report.messages = messages
        return report
    }
}
