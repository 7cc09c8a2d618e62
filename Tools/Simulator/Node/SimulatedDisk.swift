package import SyncState

/// The disk of a simulated machine: a database in memory that outlives the node, and that can fail between any two
/// operations.
///
/// A power cut is armed for a number of operations ahead. When it strikes, that operation and all after it fail, which
/// ends the node; what was not committed is gone at `revive`, as it would be from a real disk.
package final class SimulatedDisk {
    package let database: Database
    /// The small file beside the database; each write of it is atomic and durable at once.
    package var guardFile: [UInt8]?
    /// The power cut has struck.
    package private(set) var isDead = false
    /// There is no room: reading goes on, no commit comes about.
    package var isFull = false
    private var remaining: Int?

    package init() throws {
        database = try Database(path: ":memory:")
        database.probe = { [unowned self] (operation) throws(DatabaseError) in try self.on(operation) }
    }

    /// Lets `count` operations through and fails the next.
    package func arm(after count: Int) {
        remaining = count
    }

    /// A cut was armed and has not struck.
    package var isArmed: Bool { remaining != nil && !isDead }

    package func disarm() {
        remaining = nil
    }

    /// The machine has power again. The node that died must have been released.
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
