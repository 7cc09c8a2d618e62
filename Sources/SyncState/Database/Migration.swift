/// One step from a schema to the next. Released steps are never changed; new ones are added.
///
/// A file holds the tables of several components (the replicated store, the chat), each with its own list, since a
/// group's file has no chat. A component's schema number is the number of its steps applied.
package struct Migration {
    let name: String
    let sql: String

    package init(_ name: String, sql: String) {
        (self.name, self.sql) = (name, sql)
    }
}

extension Database {
    /// Applies the steps of `component` that this file still lacks, in one transaction.
    ///
    /// - Throws: `DatabaseError` with `newerSchema` set if the file has more steps than this program knows; nothing is
    ///   changed then.
    package func migrate(_ component: String, _ migrations: [Migration]) throws {
        try transaction {
            try execute(
                """
                CREATE TABLE IF NOT EXISTS migration(
                    component TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL,
                    PRIMARY KEY(component, number)) WITHOUT ROWID
                """)
            let found = try schemaNumber(of: component)
            guard found <= migrations.count else {
                throw DatabaseError.newerSchema(component: component, found: found, known: migrations.count)
            }
            let note = try prepare("INSERT INTO migration(component, number, name) VALUES(?, ?, ?)")
            for (index, migration) in migrations.enumerated().dropFirst(found) {
                try execute(migration.sql)
                note.bind(1, component)
                note.bind(2, Int64(index + 1))
                note.bind(3, migration.name)
                try note.run()
            }
        }
    }

    private func schemaNumber(of component: String) throws -> Int {
        let numbers = try prepare("SELECT max(number) FROM migration WHERE component = ?")
        return Int(try numbers.first(component) { try $0.count(0) } ?? 0)
    }
}
