package import NodeCore
package import SyncState

/// The group's zone as the engine sees it.
extension GroupZone: ReplicatedZone {
    /// The current epoch's, then those of the others, the newest first: who slept through a rotation comes back.
    var epochsByAge: [GroupEpoch] {
        [ring.current] + ring.epochs.reversed().filter { $0.record != ring.current.record }
    }

    package var discoveryKeys: [Secret] { doorKeys.map(\.discovery) }
    package var sessionKeys: [Secret] { doorKeys.map(\.session) }

    /// An owner's devices speak of the group under their own key too: where each began an epoch while they did not
    /// meet, they have no other one in common that is spoken under.
    private var doorKeys: [DoorKey] {
        let epochs = epochsByAge.map { DoorKey(discovery: $0.discovery, session: $0.session) }
        return hasOwned ? [epochs[0], ownKey] + epochs.dropFirst() : epochs
    }

    struct DoorKey {
        let discovery: Secret
        let session: Secret
    }

    package var spokenKeys: Int { hasOwned ? 2 : 1 }

    package var keysRevision: UInt64 {
        UInt64(ring.epochs.count) << 33 | ring.current.number << 1 | (hasOwned ? 1 : 0)
    }

    /// Lists of names are taken of those who own the group or did, under roots that are held.
    package var takingRevision: UInt64 {
        UInt64(ring.epochs.count) << 16 | UInt64(knownOwnerships)
    }

    package var rendezvous: (any Rendezvous)? { door }

    package func work(now: MonotonicTime) throws { try settle() }

    package var deadline: MonotonicTime? { mustSettle ? .zero : nil }

    package func finish(now: MonotonicTime) throws { try settle() }

    package func rollback() throws {
        try store.rollback()
        ring.reset()
        try loadRoots()
        try loadDismissal()
        settledState = nil
        hasWantedName = true
        try loadPause()
        try loadSince()
        // While a store takes nothing, nothing may be begun: who sees uncommitted work takes turn after turn for it.
        if try hasIndex {
            try reread()
        } else {
            forget()
            try index.load()
            mustReread = true
        }
    }

    package func tidy() throws {
        try index.write(self)
        try store.commit()
        try store.tidy()
    }
}
