import NodeCore
import SyncState

/// Decides when to try stores again: stores that could not be opened now and then, stores on a full disk also as soon
/// as it has room again.
struct StoreWatch {
    /// The time to retry stores that could not be opened.
    var reopenAt: MonotonicTime?
    /// The time to look for room on a full disk; nil while there is room.
    private var lookAt: MonotonicTime?
    /// The least that was free while stores lacked room; nil while none does.
    private var leastBytes: Int?

    var deadline: MonotonicTime? { [reopenAt, lookAt].compactMap(\.self).min() }

    /// - Parameter isFull: a store lacks room.
    /// - Returns: true if this turn looks.
    mutating func isTime(isFull: Bool, now: MonotonicTime) -> Bool {
        guard now >= lookAt ?? now else { return false }
        lookAt = isFull ? now + Limits.roomLookPause : nil
        return true
    }

    /// - Parameter freeBytes: what is free while a store lacks room; nil while none does, or where it is not known.
    /// - Returns: true if there is more room than before, by what one turn may bring.
    mutating func hasMore(_ freeBytes: Int?) -> Bool {
        guard let freeBytes, let leastBytes, freeBytes - leastBytes >= SyncState.Limits.quotaReserveBytes else {
            leastBytes = freeBytes.map { min($0, leastBytes ?? $0) }
            return false
        }
        // If it is not enough, still more is needed.
        self.leastBytes = freeBytes
        return true
    }
}
