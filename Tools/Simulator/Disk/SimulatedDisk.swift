package import SyncState

/// The disk of a simulated machine: an in-memory database that outlives the node, and that can fail between any two
/// operations.
///
/// A power cut is armed for a number of operations ahead. When it strikes, that operation and all later ones fail,
/// which ends the node; uncommitted data is gone after `revive`, as it would be from a real disk.
package final class SimulatedDisk {
    package private(set) var database: Database
    /// The small file beside the database; each write is atomic and durable at once.
    package var guardFile: [UInt8]?
    /// The power cut has struck.
    package private(set) var isDead = false
    /// The disk is full: reading works, commits fail.
    package var isFull = false
    private var remaining: Int?

    package init() throws {
        database = try Database(path: ":memory:")
        watch()
    }

    /// Deletes the database's file, and begins another. Whoever uses the old one must be gone.
    package func erase() throws {
        database = try Database(path: ":memory:")
        watch()
    }

    private func watch() {
        database.probe = { [unowned self] (operation) throws(DatabaseError) in try self.on(operation) }
    }

    /// Lets `count` operations pass and fails the next one.
    package func arm(after count: Int) {
        remaining = count
    }

    /// A power cut was armed and has not struck.
    package var isArmed: Bool { remaining != nil && !isDead }

    package func disarm() {
        remaining = nil
    }

    /// Restores power. The node that died must have been released.
    package func revive() {
        remaining = nil
        isDead = false
        database.rollback()
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
