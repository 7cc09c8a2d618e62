package import NodeCore
import SyncState

/// A zone that a node serves, and how it fares.
package final class ServedZone {
    package let sync: ZoneSync
    /// The latest error of the store; nil while it works.
    package internal(set) var failure: (any Error)?
    /// When the store is tried again.
    package internal(set) var restsUntil: MonotonicTime?
    /// The digest that the beacons show.
    var announced: ZoneDigest?
    /// Nobody is to be met for it: as the zone's own pause, once that is durable, or as the node is in the background
    /// or locked.
    package internal(set) var isPaused = false
    /// As the node's machine.
    var isInBackground: Bool
    var isLocked: Bool
    /// Of the keys that presence and dialer go by.
    var keysRevision: UInt64
    /// Of the zone, when the shell was last told.
    var accessRevision: UInt64
    /// When it was taken up.
    let addedAt: MonotonicTime
    /// Where it stood when that was last looked at, and since when.
    var noted: ZoneState?
    package internal(set) var stateSince: WallTime?
    /// How fast blobs come.
    package internal(set) var meter = RateMeter()
    package internal(set) var otherVersions = OtherVersions()
    /// What is seen of the devices of this run.
    var peerLevels: [LaneID: PeerLevel] = [:]
    /// A turn has work to do though nothing came in.
    var isDue = false
    /// Peers said something in this turn: it is theirs what finds no room.
    var hasHeard = false

    /// The slow check of all that is stored; none is under way where there is no cursor.
    private var scrub: ZoneStore.ScrubCursor?
    private var scrubAt: MonotonicTime?

    init(sync: ZoneSync, isInBackground: Bool = false, isLocked: Bool = false, now: MonotonicTime) {
        self.sync = sync
        addedAt = now
        isPaused = sync.zone.pause != nil || sync.zone.isOver
        self.isInBackground = isInBackground
        self.isLocked = isLocked
        keysRevision = sync.zone.keysRevision
        accessRevision = sync.zone.accessRevision
    }

    package var id: ZoneID { sync.zone.handle }

    /// What `isPaused` is to be.
    var isToPause: Bool { isInBackground || isLocked || sync.zone.pause != nil || sync.zone.isOver }

    var digest: ZoneDigest { sync.zone.store.digest }

    /// What the beacons show: while a message is asked for, something that is nobody's digest, so that whoever hears it
    /// takes this node to differ, as it does all others.
    func shownDigest(now: MonotonicTime) -> ZoneDigest {
        guard sync.isAsking(now: now) else { return digest }
        return ZoneDigest(Blake2b.hash16(digest.bytes, sync.instance.bytes, domain: "kachat asking"))
    }

    var presence: PresenceZone {
        PresenceZone(
            zone: id, discoveryKeys: sync.zone.discoveryKeys, digest: announced ?? digest,
            spokenKeys: sync.zone.spokenKeys)
    }

    /// What is due by the clock: the zone's own work, and a step of the scrub.
    func work(now: MonotonicTime) throws {
        isDue = false
        try sync.zone.work(now: now)
        try scrubSlowly(now: now)
    }

    /// A few blobs at a time, a pass a day: what rotted is found before somebody needs it.
    private func scrubSlowly(now: MonotonicTime) throws {
        guard let due = scrubAt else {
            scrubAt = now + Limits.firstScrubAfter
            return
        }
        guard due <= now else { return }
        var cursor = scrub ?? ZoneStore.ScrubCursor()
        let hasMore = try sync.zone.store.scrub(&cursor, blobs: Limits.scrubbedBlobs)
        scrub = hasMore ? cursor : nil
        scrubAt = now + (hasMore ? Limits.scrubPause : Limits.scrubInterval)
    }

    var deadlines: [MonotonicTime] {
        if let restsUntil { return [restsUntil] }
        if isDue { return [.zero] }
        return [sync.deadline, sync.zone.deadline, scrubAt].compactMap(\.self)
    }
}
