import SyncState

/// Takes a store up that was opened: nothing of it may become durable before its guard is (docs/STORAGE.md, §6).
struct StoreStart {
    package let zone: any ReplicatedZone
    let guardFile: GuardFile
    package let home: HomeFolder

    /// Writes what a start writes. On a full disk, a store that is no copy can be read and served all the same: then
    /// that is due with its next commit, whenever there is room for one.
    ///
    /// - Parameter write: checks the guard, and gives what its file is to hold; then whatever else is due.
    /// - Returns: why nothing can be written for now; nil where all is.
    package func run(_ write: @escaping () throws -> Void) throws -> NodeError? {
        zone.store.beforeCommit = { [home] in
            do {
                try write()
            } catch let error as FileError {
                throw home.notWritable(error)
            }
        }
        do {
            // A copy is one before anything is written under its key.
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
