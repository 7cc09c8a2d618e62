import NodeCore
import SyncState

/// The registers of a family whose rows are held, in a table of their own: one a subject and lane.
struct LiveRows<Content: AccountRecord> {
    /// How a table names its columns. They are the same in all released schemas.
    struct Layout {
        let table: String
        let subject: String
        let value: String
        /// Whether subjects are of the type TEXT, not BLOB.
        let isText: Bool
    }

    private let layout: Layout
    private let putRow, deleteRow, ofSubject, ofLane, every: Statement

    init(_ database: Database, _ layout: Layout) throws {
        self.layout = layout
        let (table, subject, value) = (layout.table, layout.subject, layout.value)
        putRow = try database.prepare("INSERT OR REPLACE INTO \(table) VALUES(?, ?, ?)")
        deleteRow = try database.prepare("DELETE FROM \(table) WHERE \(subject) = ? AND lane = ?")
        ofSubject = try database.prepare("SELECT \(value) FROM \(table) WHERE \(subject) = ? ORDER BY lane")
        ofLane = try database.prepare("SELECT \(value) FROM \(table) WHERE lane = ? ORDER BY \(subject)")
        every = try database.prepare("SELECT \(value) FROM \(table) ORDER BY \(subject), lane")
    }

    func put(_ content: Content, of subject: String, lane: LaneID) throws {
        bind(subject, to: putRow)
        putRow.bind(2, lane.bytes)
        putRow.bind(3, content.encoded)
        try putRow.run()
    }

    func remove(_ subject: String, lane: LaneID) throws {
        bind(subject, to: deleteRow)
        deleteRow.bind(2, lane.bytes)
        try deleteRow.run()
    }

    /// Ascending by lane.
    func all(of subject: String) throws -> [Content] {
        bind(subject, to: ofSubject)
        return try contents(ofSubject)
    }

    /// Ascending by subject.
    func all(in lane: LaneID) throws -> [Content] {
        ofLane.bind(1, lane.bytes)
        return try contents(ofLane)
    }

    /// Ascending by subject, then by lane.
    func all() throws -> [Content] { try contents(every) }

    private func bind(_ subject: String, to statement: Statement) {
        if layout.isText { statement.bind(1, subject) } else { statement.bind(1, Array(subject.utf8)) }
    }

    private func contents(_ query: Statement) throws -> [Content] {
        defer { query.reset() }
        var found: [Content] = []
        while try query.step() { found.append(try Content(fields: query.blob(0), hasBlob: false)) }
        return found
    }
}
