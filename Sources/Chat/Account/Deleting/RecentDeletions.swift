package import NodeCore
import SyncState

/// Deleted subjects whose bodies are still here, with the running time of the deletion.
final class RecentDeletions {
    static var migration: Migration {
        Migration(
            "recently deleted",
            sql: "CREATE TABLE recently_deleted(subject BLOB PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID")
    }

    /// The running time of the oldest.
    private(set) var first: Duration?
    private let insert, delete, one, every, oldest: Statement

    init(_ database: Database) throws {
        insert = try database.prepare("INSERT OR REPLACE INTO recently_deleted(subject, since) VALUES(?, ?)")
        delete = try database.prepare("DELETE FROM recently_deleted WHERE subject = ?")
        one = try database.prepare("SELECT 1 FROM recently_deleted WHERE subject = ?")
        every = try database.prepare("SELECT subject, since FROM recently_deleted ORDER BY since, subject")
        oldest = try database.prepare("SELECT since FROM recently_deleted ORDER BY since LIMIT 1")
    }

    /// Reads the oldest again, at the start and after a rollback.
    func load() throws {
        first = try oldest.first { .milliseconds($0.int(0)) }
    }

    func note(_ subject: Deletion.Subject, since: Duration) throws {
        try insert.run(Array(subject.slotName.utf8), since.heldMilliseconds)
        try load()
    }

    func forget(_ subject: Deletion.Subject) throws {
        try delete.run(Array(subject.slotName.utf8))
        try load()
    }

    func contains(_ subject: Deletion.Subject) throws -> Bool {
        guard first != nil else { return false }
        return try one.hasRow(Array(subject.slotName.utf8))
    }

    /// The oldest first.
    func all() throws -> [(subject: Deletion.Subject, since: Duration)] {
        guard first != nil else { return [] }
        return try every.all { row in
            guard let subject = Deletion.Subject(slotName: String(decoding: row.blob(0), as: UTF8.self)) else {
                return nil
            }
            return (subject, .milliseconds(row.int(1)))
        }
    }
}

/// A message or conversation that was deleted and can be brought back with its bodies.
package struct RecentDeletion: Sendable {
    package let subject: Deletion.Subject
    /// When the user deleted it, by that device's clock.
    package let at: WallTime
    /// How long this node will run until the bodies go.
    package let left: Duration
    /// A copy of the message, if it is one.
    package let copy: ChatMessage?

    var isMessage: Bool { if case .message = subject { true } else { false } }
}
