import CSQLite

/// A bound on the file, by SQLite's own `max_page_count`: what does not find room fails as on a full disk.
extension Database {
    /// Bounds the file, without its log; nil takes the bound away. A file that is larger already does not grow.
    package func setMost(bytes: Int?) throws(DatabaseError) {
        try bound(bytes)
        if bytes != mostBytes { refusedRoomBytes = nil }
        mostBytes = bytes
    }

    func bound(_ bytes: Int?) throws(DatabaseError) {
        let pages = try bytes.map { bytes throws(DatabaseError) in max(1, bytes / Int(try pragma("page_size"))) }
        try execute("PRAGMA max_page_count = \(pages ?? Limits.databasePages)")
    }

    /// Bytes that may still be written under the bound; nil where there is none.
    package func roomBytes() throws(DatabaseError) -> Int? {
        guard let mostBytes else { return nil }
        let used = try pragma("page_count") - pragma("freelist_count")
        return max(0, mostBytes - Int(used * (try pragma("page_size"))))
    }

    /// Remembers that what peers brought does not fit into the room that is left: they would only bring it again.
    package func noteRefusal() throws(DatabaseError) { refusedRoomBytes = try roomBytes() }

    /// Whether so little room is left under the bound that the next batch may not find any, or the last one did not.
    package func isAtItsBound() throws(DatabaseError) -> Bool {
        guard let mostBytes, let roomBytes = try roomBytes() else { return false }
        if let refusedRoomBytes, roomBytes <= refusedRoomBytes { return true }
        return roomBytes < min(Limits.quotaReserveBytes, mostBytes / Limits.quotaReserveShare)
    }

    private func pragma(_ name: String) throws(DatabaseError) -> Int64 {
        let statement = try prepare("PRAGMA \(name)")
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : 0
    }
}

extension DatabaseError {
    /// What SQLite says where the bound is met.
    static var quotaIsUsed: DatabaseError { DatabaseError(code: SQLITE_FULL, message: "the quota is used") }
}
