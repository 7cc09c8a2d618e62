import CSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An error from SQLite, or from the migration of a database.
@usableFromInline
package struct DatabaseError: Error, CustomStringConvertible, Sendable {
    /// SQLite's extended result code.
    package let code: Int32
    /// SQLite's message, or ours if the refusal is ours.
    package let message: String
    /// The statement that failed, if any.
    package let sql: String?
    /// `errno` of the failing system call; 0 if there was none.
    package let systemError: Int32
    /// Set when the file was written by a newer program: the schema found there, and the newest this program knows.
    package let newerSchema: NewerSchema?

    /// A schema number beyond what this program knows.
    package struct NewerSchema: Sendable, Equatable {
        package let component: String
        package let found: Int
        package let known: Int
    }

    package init(code: Int32, message: String, sql: String? = nil, systemError: Int32 = 0) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemError = systemError
        self.newerSchema = nil
    }

    private init(newerSchema: NewerSchema) {
        self.code = SQLITE_ERROR
        self.message = """
            this database was written by a newer version (\(newerSchema.component) schema \(newerSchema.found), \
            this program knows \(newerSchema.known)): update kachat-node
            """
        self.sql = nil
        self.systemError = 0
        self.newerSchema = newerSchema
    }

    /// Refuses a database that a newer program has migrated.
    package static func newerSchema(component: String, found: Int, known: Int) -> DatabaseError {
        DatabaseError(newerSchema: NewerSchema(component: component, found: found, known: known))
    }

    /// The primary result code: the low byte of the extended one.
    package var primaryCode: Int32 { code & 0xff }

    /// SQLite undid a transaction by itself when a statement failed, and the caller tolerated the failure. That only
    /// happens for lack of room.
    static let undone = DatabaseError(code: SQLITE_FULL, message: "the write was undone for lack of space")

    /// A damaged table returns rows out of order; continuing after the last one could loop for ever.
    static let outOfOrder = DatabaseError(code: SQLITE_CORRUPT, message: "rows of a table are out of order")

    /// True if there was no room. Nothing was changed, and the operation can be repeated when there is.
    package var isDiskFull: Bool {
        if primaryCode == SQLITE_FULL { return true }
        // EFBIG: the file reached the largest size allowed for this process, which amounts to a full disk.
        return primaryCode == SQLITE_IOERR
            && (systemError == ENOSPC || systemError == EDQUOT || systemError == EFBIG)
    }

    /// True if the file is damaged or not a database.
    package var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// True if another process holds the file.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// True if the system denies this process access to the file.
    package var isDenied: Bool {
        switch primaryCode {
        case SQLITE_READONLY, SQLITE_PERM: true
        case SQLITE_CANTOPEN, SQLITE_IOERR: [EACCES, EPERM, EROFS].contains(systemError)
        default: false
        }
    }

    /// True if the process or the system has as many files open as it can.
    package var isOutOfFiles: Bool { primaryCode == SQLITE_CANTOPEN && [EMFILE, ENFILE].contains(systemError) }

    package var isOutOfMemory: Bool { primaryCode == SQLITE_NOMEM || code == Self.ioWithoutMemory }

    /// SQLITE_IOERR_NOMEM
    private static let ioWithoutMemory = SQLITE_IOERR | 12 << 8

    /// True if a system call on the file failed; a more specific property may be true as well.
    package var isOfDisk: Bool { primaryCode == SQLITE_CANTOPEN || primaryCode == SQLITE_IOERR }

    /// The code, for a person who reports it.
    package var number: String {
        "database error \(code)" + (systemError == 0 ? "" : ", \(String(cString: strerror(systemError)))")
    }

    @usableFromInline package var description: String {
        guard let sql else { return "\(number): \(message)" }
        return "\(number): \(message) (in: \(sql))"
    }
}
