import CSQLite

/// A limit on the file's size through SQLite's `max_page_count`. Writes beyond it fail as on a full disk.
extension Database {
    /// Limits the file's size, without its log; nil removes the limit. A file that is already larger does not grow.
    package func setMost(bytes: Int?) throws(DatabaseError) {
        try bound(bytes)
        if bytes != mostBytes { refusedRoomBytes = nil }
        mostBytes = bytes
    }

    /// Lets the open transaction exceed the limit a little: for a change that makes room.
    package func exceedMost() throws(DatabaseError) {
        guard let mostBytes else { return }
        try bound(mostBytes + Limits.quotaExcessBytes)
        exceedsMost = true
    }

    /// Applies the limit again to later writes.
    package func returnToMost() {
        guard exceedsMost else { return }
        exceedsMost = false
        try? bound(mostBytes)
    }

    func bound(_ bytes: Int?) throws(DatabaseError) {
        let pages = try bytes.map { bytes throws(DatabaseError) in max(1, bytes / Int(try pragma("page_size"))) }
        try execute("PRAGMA max_page_count = \(pages ?? Limits.databasePages)")
    }

    /// Bytes that may still be written under the limit; nil without a limit.
    package func roomBytes() throws(DatabaseError) -> Int? {
        guard let mostBytes else { return nil }
        return max(0, mostBytes - (try usedBytes()))
    }

    /// Bytes of the pages in use, including those that are only in the log.
    package func usedBytes() throws(DatabaseError) -> Int {
        let used = try pragma("page_count") - pragma("freelist_count")
        return Int(used * (try pragma("page_size")))
    }

    /// Remembers that data from peers did not fit into the remaining room: they would only send it again.
    package func noteRefusal() throws(DatabaseError) { refusedRoomBytes = try roomBytes() }

    /// Whether so little room is left under the limit that the next batch may not fit, or the last one did not.
    package func isAtItsBound() throws(DatabaseError) -> Bool {
        guard let mostBytes, let roomBytes = try roomBytes() else { return false }
        if let refusedRoomBytes, roomBytes <= refusedRoomBytes { return true }
        return roomBytes < min(Limits.quotaReserveBytes, mostBytes / Limits.quotaReserveShare)
    }

    private func pragma(_ name: String) throws(DatabaseError) -> Int64 {
        try prepare("PRAGMA \(name)").number()
    }
}

extension DatabaseError {
    /// SQLite's error for a full file, with our message.
    static var quotaIsUsed: DatabaseError { DatabaseError(code: SQLITE_FULL, message: "the quota is used") }
}
