import CSQLite

/// A prepared statement, finalised when released. Parameters count from 1, columns from 0, as in SQLite.
@usableFromInline
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
    @usableFromInline
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
    @usableFromInline
    package func run() throws(DatabaseError) {
        while try step() {}
    }

    /// Binds all parameters, and runs to the end.
    @inlinable
    package func run<each Value: SQLValue>(_ values: repeat each Value) throws(DatabaseError) {
        bind(all: repeat each values)
        try run()
    }

    /// Binds all parameters. True if there is a row.
    @inlinable
    package func hasRow<each Value: SQLValue>(_ values: repeat each Value) throws(DatabaseError) -> Bool {
        bind(all: repeat each values)
        defer { reset() }
        return try step()
    }

    /// Binds all parameters and reads a number: the first column of the first row, or 0.
    @inlinable
    package func number<each Value: SQLValue>(_ values: repeat each Value) throws(DatabaseError) -> Int64 {
        bind(all: repeat each values)
        defer { reset() }
        return try step() ? int(0) : 0
    }

    /// Binds all parameters and reads the first row; nil if there is none.
    @inlinable
    package func first<each Value: SQLValue, Row>(
        _ values: repeat each Value, read: (Statement) throws -> Row?
    ) throws -> Row? {
        bind(all: repeat each values)
        defer { reset() }
        return try step() ? read(self) : nil
    }

    /// Binds all parameters and reads all rows, except those for which `read` returns nil.
    @inlinable
    package func all<each Value: SQLValue, Row>(
        _ values: repeat each Value, read: (Statement) throws -> Row?
    ) throws -> [Row] {
        var rows: [Row] = []
        try forEach(repeat each values) { if let row = try read($0) { rows.append(row) } }
        return rows
    }

    /// Binds all parameters and visits all rows.
    @inlinable
    package func forEach<each Value: SQLValue>(
        _ values: repeat each Value, visit: (Statement) throws -> Void
    ) throws {
        bind(all: repeat each values)
        defer { reset() }
        while try step() { try visit(self) }
    }

    /// Makes the statement ready to run again; bindings stay.
    @usableFromInline
    package func reset() {
        sqlite3_reset(statement)
    }
}

/// A value to which a parameter can be bound.
@usableFromInline
package protocol SQLValue {
    func bind(to statement: Statement, at index: Int32)
}

extension Int64: SQLValue {
    @usableFromInline package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension Int: SQLValue {
    @usableFromInline package func bind(to statement: Statement, at index: Int32) { statement.bind(index, Int64(self)) }
}

extension String: SQLValue {
    @usableFromInline package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension [UInt8]: SQLValue {
    @usableFromInline package func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension Optional: SQLValue where Wrapped: SQLValue {
    @usableFromInline package func bind(to statement: Statement, at index: Int32) {
        if let self { self.bind(to: statement, at: index) } else { statement.bindNull(index) }
    }
}

// MARK: - Binding

extension Statement {
    private static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private func check(_ code: Int32) {
        // This can only fail for a wrong index or a statement that is not reset: both are mistakes of this program.
        precondition(code == SQLITE_OK, "invariant: parameters are bound to a reset statement that has them")
    }

    @inlinable
    func bind<each Value: SQLValue>(all values: repeat each Value) {
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            value.bind(to: self, at: index)
        }
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
}

// MARK: - Columns of the current row

extension Statement {
    /// The integer in the column; 0 for NULL.
    @usableFromInline
    package func int(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// A count, or a position in one: from 0 to 2^53, so that several can be added.
    ///
    /// - Throws: `DatabaseError` for any other value, which this program never writes.
    package func count(_ column: Int32) throws(DatabaseError) -> UInt64 {
        let value = int(column)
        guard 0...1 << 53 ~= value else {
            throw DatabaseError(code: SQLITE_CORRUPT, message: "a number in a table is damaged")
        }
        return UInt64(value)
    }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// False for NULL, and for numbers and texts, which come before all bytes in an index.
    func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_BLOB }

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
