import CSQLite

/// Detecting damage.
extension Database {
    /// The first finding of `PRAGMA quick_check`: pages that are lost, used twice or malformed, or rows out of order.
    /// Nil if it finds nothing. Reads the whole file; checking the content of rows is the scrub's task.
    package func quickCheck() throws(DatabaseError) -> String? {
        let statement = try prepare("PRAGMA quick_check(1)")
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let found = statement.text(0)
        return found == "ok" ? nil : found
    }
}
