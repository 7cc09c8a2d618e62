import CSQLite

/// Looking for damage.
extension Database {
    /// What `PRAGMA quick_check` finds first: pages that are lost, twice used or malformed, rows out of order. Nil
    /// where it finds nothing. Reads the whole file; what the rows say is for a scrub.
    package func quickCheck() throws(DatabaseError) -> String? {
        let statement = try prepare("PRAGMA quick_check(1)")
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let found = statement.text(0)
        return found == "ok" ? nil : found
    }
}
