import SyncState

/// Reading while nothing can be written: a store without room goes on serving.
extension ChatState {
    /// Runs a query on an index that lists all there is.
    ///
    /// What waits in memory is merged before, as ever. Where there is no room for that, it is merged for this query
    /// alone, in memory, and undone behind it: slower, and nothing is written.
    func query<T>(_ body: () throws -> T) throws -> T {
        if !lacksRoom {
            do {
                try flush()
                return try body()
            } catch let error as DatabaseError where error.isDiskFull {
                lacksRoom = true
            }
        }
        // What could not be written is derived anew.
        try synchronise()
        return try database.scratch { try index.whileMerged(body) }
    }

    /// Something could be written: queries merge for good again.
    package func noteRoom() { (lacksRoom, countedWithoutRoom) = (false, nil) }
}
