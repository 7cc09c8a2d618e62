import CSQLite

/// A prepared statement, finalised when released. Parameters count from 1, columns from 0, as in SQLite.
package final class Statement {
    /// The bare statement, without a reference to its database.
    struct Handle: ~Copyable {
        let pointer: OpaquePointer

        init(_ database: OpaquePointer, _ sql: String) throws(DatabaseError) {
            var prepared: OpaquePointer?
            let code = sqlite3_prepare_v3(
                database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
            guard code == SQLITE_OK else { throw Database.error(code, on: database, sql: sql) }
            guard let prepared else {
                throw DatabaseError(code: SQLITE_MISUSE, message: "an empty statement", sql: sql)
            }
            pointer = prepared
        }

        deinit {
            sqlite3_finalize(pointer)
        }

        func run(on database: OpaquePointer) throws(DatabaseError) {
            let code = sqlite3_step(pointer)
            guard code == SQLITE_DONE || code == SQLITE_ROW else {
                let error = Database.error(code, on: database, sql: sqlite3_sql(pointer).map { String(cString: $0) })
                sqlite3_reset(pointer)
                throw error
            }
            sqlite3_reset(pointer)
        }
    }

    private let database: Database
    private let handle: Handle
    private var statement: OpaquePointer { handle.pointer }

    init(database: Database, sql: String) throws(DatabaseError) {
        self.database = database
        self.handle = try Handle(database.handle, sql)
    }

    /// The statement's text.
    package var sql: String { sqlite3_sql(statement).map { String(cString: $0) } ?? "" }

    private func error(_ code: Int32) -> DatabaseError {
        Database.error(code, on: database.handle, sql: sql)
    }

    // MARK: Running

    /// Advances to the next row. If there is none, returns false and resets the statement.
    package func step() throws(DatabaseError) -> Bool {
        if let probe = database.probe { try ask(probe) }
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            sqlite3_reset(statement)
            return false
        }
        let error = error(code)
        sqlite3_reset(statement)
        throw error
    }

    /// If the probe throws, resets the statement, as after an error of SQLite.
    private func ask(_ probe: (Database.Operation) throws(DatabaseError) -> Void) throws(DatabaseError) {
        do throws(DatabaseError) {
            try probe(.step)
        } catch {
            sqlite3_reset(statement)
            throw error
        }
    }

    /// Runs to the end, ignoring rows, and resets.
    package func run() throws(DatabaseError) {
        while try step() {}
    }

    /// Makes the statement ready to run again; bindings stay.
    package func reset() {
        sqlite3_reset(statement)
    }
}

// MARK: - Binding

extension Statement {
    private static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private func check(_ code: Int32) {
        // This can only fail for a wrong index or a statement that is not reset: both are mistakes of this program.
        precondition(code == SQLITE_OK, "invariant: parameters are bound to a reset statement that has them")
    }

    /// Binds an integer.
    package func bind(_ index: Int32, _ value: Int64) {
        check(sqlite3_bind_int64(statement, index, value))
    }

    /// Binds bytes; SQLite copies them.
    package func bind(_ index: Int32, _ value: [UInt8]) {
        value.withUnsafeBytes { bind(index, $0) }
    }

    /// Binds bytes; SQLite copies them.
    package func bind(_ index: Int32, _ value: UnsafeRawBufferPointer) {
        guard let base = value.baseAddress, !value.isEmpty else {
            check(sqlite3_bind_zeroblob(statement, index, 0))
            return
        }
        check(sqlite3_bind_blob64(statement, index, base, UInt64(value.count), Self.copying))
    }

    /// Binds bytes without a copy. They must stay in place until the statement has run and is bound again.
    package func bind(_ index: Int32, borrowing value: UnsafeRawBufferPointer) {
        guard let base = value.baseAddress, !value.isEmpty else {
            check(sqlite3_bind_zeroblob(statement, index, 0))
            return
        }
        check(sqlite3_bind_blob64(statement, index, base, UInt64(value.count), nil))
    }

    /// Binds text; SQLite copies it.
    package func bind(_ index: Int32, _ value: String) {
        var value = value
        value.withUTF8 { utf8 in
            check(
                utf8.withMemoryRebound(to: CChar.self) { text in
                    // A null pointer would bind NULL, and an empty buffer may have one.
                    guard let base = text.baseAddress else {
                        return sqlite3_bind_text(statement, index, "", 0, Self.copying)
                    }
                    return sqlite3_bind_text(statement, index, base, Int32(text.count), Self.copying)
                })
        }
    }

    /// Binds NULL.
    package func bindNull(_ index: Int32) {
        check(sqlite3_bind_null(statement, index))
    }

    /// Binds an integer, or NULL.
    package func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Binds bytes, or NULL.
    package func bind(_ index: Int32, _ value: [UInt8]?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }

    /// Binds text, or NULL.
    package func bind(_ index: Int32, _ value: String?) {
        if let value { bind(index, value) } else { bindNull(index) }
    }
}

// MARK: - Columns of the current row

extension Statement {
    /// The integer in the column; 0 for NULL.
    package func int(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// The bytes in the column; empty for NULL.
    package func blob(_ column: Int32) -> [UInt8] {
        withBlob(column) { [UInt8]($0) }
    }

    /// The bytes in the column, without a copy. They are invalid after the next step, reset, or reading of the column
    /// as another type.
    package func withBlob<T, E: Error>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(E) -> T
    ) throws(E) -> T {
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// The text in the column; empty for NULL.
    package func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The text in the column; nil for NULL.
    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The integer in the column; nil for NULL.
    package func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }
}
