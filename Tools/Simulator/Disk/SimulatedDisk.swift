package import SyncState

/// The disk of a simulated machine: the home's files on a `FaultDisk`, which outlive the node.
///
/// A death is armed for a number of operations ahead. When it strikes, that operation and all later ones fail, which
/// ends the node. On a sound disk it is an operation of the store's, and what was committed stays; on a faulty one it
/// is one of SQLite's, and what was not synced is lost, torn or kept as the seed decides.
package final class SimulatedDisk {
    let files: FaultDisk
    let isFaulty: Bool
    let number: Int
    /// Of this life; nil until the node opens its store.
    private var database: Database?
    /// The small file beside the database; each write is atomic and durable at once.
    package var guardFile: [UInt8]?
    /// In a group: whom the home belongs to, or the attempt to join.
    var placeFile: [UInt8]?
    /// Captures state that is in no file here and goes back in time with the home: called for an image, it returns how
    /// to put that state back.
    var remember: (() -> () -> Void)?
    /// Whose home is on it, and on which machine the home believes to be. A copied image brings both.
    package internal(set) var device: Int
    package internal(set) var machine: Int
    /// The damage since somebody last looked for it.
    var damage = HomeDamage()
    /// The file may be none that SQLite reads: a node may say so, and give up.
    var mayBeUnreadable = false
    var kept: HomeImage?
    /// The armed death of a sound disk has struck.
    private var hasDied = false
    private var remaining: Int?
    /// Errors of single operations that are due in the next life, with the operations before them.
    private var errorsAtStart: [(failure: FaultDisk.Failure, after: Int)] = []

    package init(seed: UInt64, machine: Int, isFaulty: Bool = false) {
        files = FaultDisk(seed: seed)
        self.isFaulty = isFaulty
        (number, self.machine, device) = (machine, machine, machine)
    }

    /// The connection of this life, opened with the first call.
    package func open() throws(DatabaseError) -> Database {
        if let database { return database }
        let opened = try files.open(checkpointBytes: Limits.checkpointBytes)
        opened.probe = { [unowned self] (operation) throws(DatabaseError) in try self.on(operation) }
        database = opened
        return opened
    }

    /// The sizes of the database and of its log.
    var storeBytes: Int { files.sizeBytes() }
    var logBytes: Int { files.sizeBytes(of: FaultDisk.log) }

    /// Deletes the database's files, which nobody may be using.
    package func erase() {
        end()
        files.lose(FaultDisk.file)
        files.lose(FaultDisk.log)
        (damage, mayBeUnreadable) = (HomeDamage(), false)
    }

    /// The process ends, and what it wrote stays; or the machine, with what a faulty disk had not synced.
    package func end(isPowerCut: Bool = false) {
        if isPowerCut, isFaulty, !files.isDead { files.cutPower() } else { files.kill() }
        database = nil
    }

    /// Makes the disk ready for the next life. The node that died must have been released.
    package func revive() {
        end()
        remaining = nil
        files.disarm()
        hasDied = false
        files.revive()
        for (failure, count) in errorsAtStart { files.arm(failure, after: count) }
        errorsAtStart = []
    }

    // MARK: Faults

    /// Lets `count` operations pass and fails the next one.
    package func arm(after count: Int) {
        if isFaulty { files.arm(.powerCut, after: count) } else { remaining = count }
    }

    /// The death has struck.
    package var isDead: Bool { hasDied || files.isDead }

    /// So is its machine.
    var hasLostPower: Bool { files.isDead }

    package func disarm() {
        remaining = nil
        errorsAtStart = []
        files.disarm()
    }

    /// One operation fails, after `count` others of its kind; if the machine is down, in its next life.
    func fail(_ failure: FaultDisk.Failure, after count: Int) {
        if database == nil { errorsAtStart.append((failure, count)) } else { files.arm(failure, after: count) }
    }

    /// An event of the disk that explains an error of the store.
    enum Excuse {
        /// It works again by itself: there is no room, or an operation failed.
        case passing
        /// The files are not readable any more.
        case damage
    }

    func excuse(for error: any Error) -> Excuse? {
        if isFull { return .passing }
        guard isFaulty else { return nil }
        if isDead { return .passing }
        if let error = error as? DatabaseError, Self.passing.contains(error.primaryCode) {
            return [.readError, .writeError, .syncError].contains { files.count(of: $0) > 0 } ? .passing : nil
        }
        return mayBeUnreadable ? .damage : nil
    }

    /// The node handles a disk that is full or fails for a moment itself: the zone rests and is retried. Any other
    /// failure ends the node.
    func rethrow(_ failure: (any Error)?) throws {
        guard let failure, (failure as? DatabaseError)?.isDiskFull != true else { return }
        if excuse(for: failure) != .passing || isDead { throw failure }
    }

    /// SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN
    private static let passing: Set<Int32> = [10, 13, 14]

    /// The disk is full: reading works, commits fail. On a faulty one, what fits into the files does not.
    package var isFull = false { didSet { if isFaulty { files.setFull(isFull) } } }

    private func on(_ operation: Database.Operation) throws(DatabaseError) {
        guard !isFaulty else { return }
        if let left = remaining {
            if left == 0 { hasDied = true }
            remaining = max(left - 1, 0)
        }
        if isDead { throw DatabaseError(code: 10, message: "the simulated machine has no power") }
        // SQLITE_FULL
        if isFull, operation == .commit { throw DatabaseError(code: 13, message: "the simulated disk is full") }
    }
}
