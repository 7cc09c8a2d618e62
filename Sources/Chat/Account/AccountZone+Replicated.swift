package import NodeCore
package import SyncState

/// The account's zone as the engine sees it.
extension AccountZone: ReplicatedZone {
    package var zone: ZoneID { keys.zone }

    package var zoneAccess: ZoneAccess { ZoneAccess(keys: placeKeys, pause: pause) }

    /// Of the present version, and of later ones: a device that slept through rotations comes back.
    private var placeKeys: PlaceKeys {
        let own = syncKeyVersion
        if let knownPlaceKeys, knownPlaceKeys.version == own { return knownPlaceKeys.keys }
        let versions = (own...own + Limits.versionsAhead).map { sealer.version($0) }
        let keys = PlaceKeys(discovery: versions.map(\.discovery), session: versions.map(\.session))
        knownPlaceKeys = (own, keys)
        return keys
    }

    package var tellsTime: Bool { true }

    package func proof(of message: [UInt8]) -> [UInt8] { keys.identity.sign(message) }

    package func standing(_ message: [UInt8], proof: [UInt8]) -> PeerStanding {
        Ed25519.verify(signature: proof, message: message, publicKey: accountID.storage) ? .proven : .wrong
    }

    /// Cuts segments, publishes reads and shows that this device is alive, each at its time; cuts anew what holds
    /// deleted messages; lets silent devices go.
    package func work(now: MonotonicTime) throws {
        if let due = cutDeadline, due <= now { try cut(force: false, now: now) }
        if chat.hasKeptReads {
            chat.hasKeptReads = false
            publishDeadline = publishDeadline ?? now + policy.quiet
        }
        if let due = publishDeadline, due <= now { try publishReads() }
        if hasRecuts { try recutDeleted() }
        for arrival in chat.takeSuspects() { try store.verify(arrival: Int64(arrival)) }
        try showSignOfLife(now: now)
        try retireSilentDevices()
    }

    package var deadline: MonotonicTime? {
        hasRecuts || chat.hasKeptReads || chat.hasSuspects
            ? .zero : [cutDeadline, publishDeadline, signOfLifeDeadline, changes.deadline].compactMap(\.self).min()
    }

    /// While the account pauses the queue waits.
    private var cutDeadline: MonotonicTime? { pause == nil ? chat.nextCutDeadline : nil }

    package func finish(now: MonotonicTime) throws {
        try publishReads()
        try cut(force: pause == nil, now: now)
    }

    package func rollback() throws {
        try store.rollback()
        chat.lane = store.device.lane
        description = try store.setting("description").map { try DeviceDescription(encoded: $0) }
        liveMarkers.forgetSuspects()
        _ = liveDeletions.takeSuspects()
        mustRecut = []
        try recuts.load()
        try loadState()
        suspectDetails = []
        try loadMemberships()
        try loadAchievements()
        sightings.forget()
    }

    package func tidy() throws {
        try chat.flush()
        try store.tidy()
    }

    package func probe() throws {
        try store.probe()
        try commit()
        chat.noteRoom()
    }
}
