package import SyncState

/// The disk of a simulated machine: the store's files on a `FaultDisk`, and the small file beside them. It outlives the
/// node.
///
/// A death is armed for a number of the store's operations ahead. When it strikes, that operation and all later ones
/// fail, which ends the node; what was not committed is gone.
package final class SimulatedDisk {
    private let files: FaultDisk
    /// Of this life; nil until the node opens its store.
    private var database: Database?
    /// The small file beside the database; each write is atomic and durable at once.
    package var guardFile: [UInt8]?
    /// The armed death has struck.
    package private(set) var isDead = false
    /// The disk is full: reading works, commits fail.
    package var isFull = false
    private var remaining: Int?

    package init(seed: UInt64) {
        files = FaultDisk(seed: seed)
    }

    /// The connection of this life, opened with the first call.
    package func open() throws(DatabaseError) -> Database {
        if let database { return database }
        let opened = try files.open()
        // A simulated node writes little: at the product's bound its log would never be moved into the file.
        try opened.execute("PRAGMA wal_autocheckpoint = \(Limits.checkpointPages)")
        opened.probe = { [unowned self] (operation) throws(DatabaseError) in try self.on(operation) }
        database = opened
        return opened
    }

    /// Deletes the database's files. Whoever uses them must be gone.
    package func erase() {
        end()
        files.lose(FaultDisk.file)
        files.lose(FaultDisk.log)
    }

    /// The process ends: what it wrote stays.
    package func end() {
        files.kill()
        database = nil
    }

    /// Lets `count` operations pass and fails the next one.
    package func arm(after count: Int) {
        remaining = count
    }

    /// A death was armed and has not struck.
    package var isArmed: Bool { remaining != nil && !isDead }

    package func disarm() {
        remaining = nil
    }

    /// Makes the disk ready for the next life. The node that died must have been released.
    package func revive() {
        end()
        remaining = nil
        isDead = false
    }

    private func on(_ operation: Database.Operation) throws(DatabaseError) {
        if let left = remaining {
            if left == 0 { isDead = true }
            remaining = max(left - 1, 0)
        }
        if isDead { throw DatabaseError(code: 10, message: "the simulated machine has no power") }
        // SQLITE_FULL
        if isFull, operation == .commit { throw DatabaseError(code: 13, message: "the simulated disk is full") }
    }
}
