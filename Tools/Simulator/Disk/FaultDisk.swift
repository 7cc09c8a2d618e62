import CFaultVFS
package import SyncState

/// A disk in memory that fails as its seed says, below SQLite. The store on it is the real one, to the last byte.
///
/// Every file has what is read, and what a power cut would leave: they are equal after each sync.
package final class FaultDisk {
    /// A fault of one operation.
    package enum Failure: UInt32, Sendable, CaseIterable {
        /// The power goes before it, or in the middle of a write.
        case powerCut
        case readError
        case writeError
        /// Some of what the sync should have written is lost, and no later sync will say so.
        case syncError
        /// The read returns its first part, then zeros, and no error: no honest disk does that.
        case shortRead
        /// The sync says that it is done and has done nothing: no honest disk does that.
        case syncLie

        fileprivate var raw: kachat_disk_fault { kachat_disk_fault(rawValue) }
    }

    /// The files at one moment, as a backup would copy them.
    package final class Copy {
        fileprivate let image: OpaquePointer

        fileprivate init(of disk: OpaquePointer) {
            guard let image = kachat_disk_copy(disk) else { preconditionFailure("invariant: there is memory") }
            self.image = image
        }

        deinit { kachat_disk_image_free(image) }
    }

    /// The database's name on the disk.
    package static let file = "zone.db"
    package static let log = file + "-wal"
    private let disk: OpaquePointer

    package init(seed: UInt64) {
        guard let disk = kachat_disk_create(seed) else { preconditionFailure("invariant: there is memory") }
        self.disk = disk
    }

    deinit { kachat_disk_destroy(disk) }

    /// Opens the store's database, or creates it.
    package func open(
        pageSizeBytes: Int = SyncState.Limits.pageSizeBytes, checkpointBytes: Int = SyncState.Limits.checkpointBytes
    ) throws(DatabaseError) -> Database {
        try Database(
            path: Self.file, pageSizeBytes: pageSizeBytes, checkpointBytes: checkpointBytes,
            vfs: String(cString: kachat_disk_vfs(disk)))
    }

    // MARK: Faults to come

    /// The fault happens once, after `count` more operations of its kind; every operation counts for a power cut.
    package func arm(_ failure: Failure, after count: Int) { kachat_disk_arm(disk, failure.raw, UInt64(count)) }

    package func disarm() { kachat_disk_disarm(disk) }

    /// How often a fault happened.
    package func count(of failure: Failure) -> Int { Int(kachat_disk_count(disk, failure.raw)) }

    /// While it is full, files do not grow.
    package func setFull(_ isFull: Bool) { kachat_disk_set_full(disk, isFull) }

    package var operations: Int { Int(kachat_disk_operations(disk)) }

    // MARK: Ends of a life

    /// The process ends: it writes no more, not even while its connection is closed. The files stay.
    package func kill() { kachat_disk_kill(disk) }

    /// The machine ends: of all that was not synced, the seed decides what is kept, torn or lost.
    package func cutPower() { kachat_disk_cut_power(disk) }

    /// The power went, and every operation fails until `revive`.
    package var isDead: Bool { kachat_disk_is_dead(disk) }

    package func revive() { kachat_disk_revive(disk) }

    // MARK: Damage, while nobody has a file open

    /// The bytes of a file as they are read; nil if there is none.
    package func bytes(of name: String = file) -> [UInt8]? {
        let count = kachat_disk_size(disk, name)
        guard count >= 0 else { return nil }
        return Array(UnsafeBufferPointer(start: kachat_disk_bytes(disk, name), count: Int(count)))
    }

    /// Of a file; 0 if there is none.
    package func sizeBytes(of name: String = file) -> Int { max(0, Int(kachat_disk_size(disk, name))) }

    /// Flips bits of a stored byte.
    package func rot(_ name: String = file, at offset: Int, bits: UInt8) {
        let isThere = kachat_disk_rot(disk, name, UInt64(offset), bits)
        precondition(isThere, "invariant: what rots is there")
    }

    /// Removes a file. False if there was none.
    @discardableResult
    package func lose(_ name: String = file) -> Bool { kachat_disk_lose(disk, name) }

    package func copy() -> Copy { Copy(of: disk) }

    /// The files become those of a copy, of this disk or another.
    package func restore(_ copy: Copy) { kachat_disk_restore(disk, copy.image) }
}
