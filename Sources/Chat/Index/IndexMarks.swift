import SyncState

/// How far the trees go: the highest arrival id among the segments that they hold and the highest queue row that they
/// may refer to, and how many segments there are.
struct IndexMarks: Equatable {
    var arrival: UInt64 = 0
    var row: Int64 = 0
    var segments = 0
}

/// The marks as they are stored.
struct MarkTable {
    private let select, replace: Statement

    init(_ database: Database) throws {
        select = try database.prepare("SELECT value FROM chat_state WHERE name = ?")
        replace = try database.prepare("INSERT OR REPLACE INTO chat_state(name, value) VALUES(?, ?)")
    }

    func load() throws -> IndexMarks {
        IndexMarks(
            arrival: try value("arrival"), row: try QueueTable.id(value("row")), segments: Int(try value("segments")))
    }

    func store(_ marks: IndexMarks) throws {
        let values = [
            ("arrival", Int64(bitPattern: marks.arrival)), ("row", marks.row), ("segments", Int64(marks.segments)),
        ]
        for (name, value) in values { try replace.run(name, value) }
    }

    private func value(_ name: String) throws -> UInt64 {
        try select.first(name) { try $0.count(0) } ?? 0
    }
}
