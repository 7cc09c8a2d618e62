import SyncState

/// Starts using an opened store: nothing in it may become durable before its guard is (docs/STORAGE.md, §6).
struct StoreStart {
    package let zone: any ReplicatedZone
    let guardFile: GuardFile
    package let home: HomeFolder

    /// Does the writes of a start. On a full disk, a store that is not a copy can still be read and served: then they
    /// are done with its next commit, when there is room.
    ///
    /// - Parameter write: checks the guard and returns the content of its file; then does anything else that is due.
    /// - Returns: the reason that nothing can be written for now; nil if everything was.
    package func run(_ write: @escaping () throws -> Void) throws -> NodeError? {
        zone.store.beforeCommit = { [home] in
            do {
                try write()
            } catch let error as FileError {
                throw home.notWritable(error)
            }
        }
        do {
            // A copy must be detected before anything is written under its key.
            try zone.store.prepareCommit()
            try zone.commit()
            return nil
        } catch {
            let fault = NodeError(cause: error)
            try zone.rollback()
            guard fault.isOutOfRoom, try zone.store.fits(guardFile.content, place: guardFile.place) else { throw error }
            return fault
        }
    }
}
