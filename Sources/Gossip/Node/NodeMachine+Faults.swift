import NodeCore
import SyncState

/// Faults of a store: its zone rests, and is tried again.
extension NodeMachine {
    func rest(_ served: ServedZone, _ error: any Error, now: MonotonicTime) {
        served.restsUntil = now + Limits.storeRetry
        dialer.onPaused(true, zone: served.id, now: now)
        served.sync.abandon()
        // What cannot even be rolled back is tried again with the next revival.
        try? served.sync.zone.rollback()
        if served.hasHeard, (error as? DatabaseError)?.isDiskFull == true {
            try? served.sync.zone.store.database.noteRefusal()
        }
        actions.append(.note(zone: served.id, .storeFailed("\(error)")))
    }

    func revive(_ served: ServedZone, now: MonotonicTime) {
        do {
            try served.sync.zone.rollback()
            try served.sync.zone.probe()
            served.failure = nil
            served.restsUntil = nil
            served.sync.needsLook = true
            dialer.onPaused(served.isPaused, zone: served.id, now: now)
            actions.append(.note(zone: served.id, .storeRecovered))
        } catch {
            served.failure = error
            served.restsUntil = now + Limits.storeRetry
            // The probe's transaction must not stay open: who sees uncommitted work takes turn after turn for it.
            try? served.sync.zone.rollback()
        }
    }
}
