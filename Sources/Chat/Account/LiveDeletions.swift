import NodeCore
import SyncState

/// The deletions whose rows are held: one a subject and lane. Where none shows what is deleted here, this node raises
/// its own register, so that no retirement and no pruning revives anything (docs/PROTOCOL.md, §4.9).
struct LiveDeletions {
    static var migration: Migration {
        Migration(
            "deletions",
            sql: """
                CREATE TABLE live_deletion(
                    subject BLOB NOT NULL,
                    lane BLOB NOT NULL,
                    deletion BLOB NOT NULL,
                    PRIMARY KEY(subject, lane)) WITHOUT ROWID;
                CREATE TABLE recut(seq INTEGER PRIMARY KEY);
                """)
    }

    private let putDeletion, deleteDeletion, ofSubject, ofLane, every: Statement
    /// What changed since the live registers were last compared with what is deleted here.
    private var suspects: Set<Deletion.Subject> = []

    init(_ database: Database) throws {
        putDeletion = try database.prepare("INSERT OR REPLACE INTO live_deletion VALUES(?, ?, ?)")
        deleteDeletion = try database.prepare("DELETE FROM live_deletion WHERE subject = ? AND lane = ?")
        ofSubject = try database.prepare("SELECT deletion FROM live_deletion WHERE subject = ? ORDER BY lane")
        ofLane = try database.prepare("SELECT deletion FROM live_deletion WHERE lane = ? ORDER BY subject")
        every = try database.prepare("SELECT deletion FROM live_deletion ORDER BY subject, lane")
    }

    func put(_ deletion: Deletion, lane: LaneID) throws {
        putDeletion.bind(1, Array(deletion.subject.slotName.utf8))
        putDeletion.bind(2, lane.bytes)
        putDeletion.bind(3, deletion.encoded)
        try putDeletion.run()
    }

    mutating func remove(_ deletion: Deletion, lane: LaneID) throws {
        deleteDeletion.bind(1, Array(deletion.subject.slotName.utf8))
        deleteDeletion.bind(2, lane.bytes)
        try deleteDeletion.run()
        suspects.insert(deletion.subject)
    }

    /// A register counted, with or without a row of its own.
    mutating func suspect(_ subject: Deletion.Subject) { suspects.insert(subject) }

    var hasSuspects: Bool { !suspects.isEmpty }

    mutating func takeSuspects() -> [Deletion.Subject] {
        defer { suspects = [] }
        return suspects.sorted()
    }

    func deletions(of subject: Deletion.Subject) throws -> [Deletion] {
        ofSubject.bind(1, Array(subject.slotName.utf8))
        return try deletions(ofSubject)
    }

    func deletions(of lane: LaneID) throws -> [Deletion] {
        ofLane.bind(1, lane.bytes)
        return try deletions(ofLane)
    }

    /// What all lanes together say: one a subject.
    func joined() throws -> [Deletion] {
        var found: [Deletion] = []
        for deletion in try deletions(every) {
            if found.last?.subject == deletion.subject {
                found[found.count - 1].through = max(found[found.count - 1].through, deletion.through)
            } else {
                found.append(deletion)
            }
        }
        return found
    }

    private func deletions(_ query: Statement) throws -> [Deletion] {
        defer { query.reset() }
        var found: [Deletion] = []
        while try query.step() { found.append(try Deletion(encoded: query.blob(0))) }
        return found
    }
}
