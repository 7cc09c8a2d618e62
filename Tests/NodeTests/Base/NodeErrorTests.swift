import SyncState
import Testing

@testable import Node

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The text that a person reads of an error.
@Suite struct NodeErrorTests {
    private static func told(_ code: Int32, _ systemError: Int32 = 0) -> NodeError {
        NodeError(cause: DatabaseError(code: code, message: "no", sql: "PRAGMA x", systemError: systemError))
    }

    /// The codes are SQLite's: 8 READONLY, 10 IOERR, 14 CANTOPEN, 7 NOMEM, 1 ERROR; 778 is a write, 3082 no memory.
    @Test(arguments: [
        (8, 0, "this user may not write"), (14, EACCES, "this user may not write"), (14, EROFS, "mount their disk"),
        (14, EIO, "the disk failed"), (14, 0, "the disk failed"), (778, EIO, "the disk failed"),
        (14, EMFILE, "raise the limit (ulimit -n)"), (7, 0, "too little memory"), (3_082, 0, "too little memory"),
        (1, 0, "report it with the output of `kachat-node diagnostics`"),
    ])
    func anErrorOfTheDatabaseSaysWhatToDo(code: Int32, systemError: Int32, remedy: String) {
        let error = Self.told(code, systemError)
        #expect(error.code == .storage && error.isStoreFault)
        #expect(error.message.contains(remedy) && error.message.contains("try again"))
        // The number helps whoever is asked; the statement helps nobody.
        #expect(error.message.contains("(database error \(code)") && !error.message.contains("PRAGMA"))
    }

    @Test func someAreKnownByTheirCode() {
        #expect(Self.told(13).code == .storageFull && Self.told(778, ENOSPC).code == .storageFull)
        #expect(Self.told(5).code == .homeInUse && Self.told(5).message.contains("end that one"))
        for code: Int32 in [11, 26] {
            #expect(Self.told(code).code == .storageDamaged && Self.told(code).message.contains("account pair --join"))
        }
    }
}
