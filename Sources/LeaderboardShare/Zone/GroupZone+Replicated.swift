package import NodeCore
package import SyncState

/// The engine's view of the group's zone.
extension GroupZone: ReplicatedZone {
    /// Posted results are in a record at once.
    package var hasQueued: Bool { false }

    /// The current epoch first, then the others, newest first: a device that slept through a rotation may come back.
    var epochsByAge: [GroupEpoch] {
        [ring.current] + ring.epochs.reversed().filter { $0.record != ring.current.record }
    }

    /// Lists of names are accepted from present and former owners, under roots that are held.
    package var zoneAccess: ZoneAccess {
        ZoneAccess(
            keys: placeKeys, pause: pause, isOver: isOver, standings: accessRevision,
            takings: UInt64(ring.epochs.count) << 16 | UInt64(knownOwnerships))
    }

    /// An owner's devices also send beacons under a key of their own: if they each began an epoch while apart, they
    /// share no other key that beacons use.
    var placeKeys: PlaceKeys {
        if let knownPlaceKeys, knownPlaceKeys.isOf(ring, hasOwned: hasOwned) { return knownPlaceKeys.keys }
        let epochs = epochsByAge.map { DoorKey(discovery: $0.discovery, session: $0.session) }
        let all = hasOwned ? [epochs[0], ownKey] + epochs.dropFirst() : epochs
        let keys = PlaceKeys(
            discovery: all.map(\.discovery), session: all.map(\.session), spoken: hasOwned ? 2 : 1)
        knownPlaceKeys = KnownPlaceKeys(epochs: ring.epochs, current: ring.current, hasOwned: hasOwned, keys: keys)
        return keys
    }

    struct DoorKey {
        let discovery: Secret
        let session: Secret
    }

    /// Keys, and the values they were derived from.
    struct KnownPlaceKeys {
        let epochs: [GroupEpoch]
        let current: GroupEpoch
        let hasOwned: Bool
        let keys: PlaceKeys

        func isOf(_ ring: GroupKeyRing, hasOwned: Bool) -> Bool {
            self.hasOwned == hasOwned && current === ring.current && epochs.elementsEqual(ring.epochs, by: ===)
        }
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
        newScores = NewScores()
        hasWantedName = true
        try loadPause()
        try loadSince()
        // While a store accepts nothing, no transaction may be begun: uncommitted work would cause turn after turn.
        if try hasIndex {
            try reread()
        } else {
            forget()
            try index.load()
            mustReread = true
        }
    }

    package func tidy() throws {
        if index.hasUnwritten {
            try store.begin()
            try index.write(self)
        }
        try store.commit()
        try store.tidy()
    }
}
