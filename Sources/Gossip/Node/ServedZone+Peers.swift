package import NodeCore
package import SyncState

/// A device's state as seen while the node runs.
struct PeerLevel {
    var isPresent = true
    /// It holds everything that this node holds.
    var isLevel = false
    var seen: WallTime
    /// When it last held everything.
    var level: WallTime?
    /// This value is not on disk yet.
    var isDirty = true
    var notedAt: MonotonicTime?
    var stall = Stall()

    /// How long the device, while in reach, has differed and come no nearer, over all its sessions: it may keep saying
    /// that it differs, and reconnect as if it were new.
    struct Stall {
        private(set) var time = Duration.zero
        private var lookedAt: MonotonicTime?
        /// The session of the last look, and the rows that it had given.
        private var given: (session: SessionID, rows: UInt64)?
        /// The most that it has shown of the rows that are here.
        private var taken: UInt64 = 0
        /// The revision of the store when it was last equal.
        private var equalAt: UInt64?

        mutating func note(_ sync: ZoneSync, _ session: PeerSession, isEqual: Bool, now: MonotonicTime) {
            let step = lookedAt.map { min(now - $0, Limits.stallStep) } ?? .zero
            lookedAt = now
            guard !isEqual else {
                // What it takes back, and then says again, is no news.
                if equalAt != sync.store.revision { time = .zero }
                equalAt = sync.store.revision
                return
            }
            let hasGiven = session.intake.newRows > (given?.session == session.id ? given?.rows ?? 0 : 0)
            given = (session.id, session.intake.newRows)
            let shown = session.takenRows(of: sync.ownEntries)
            let hasTaken = shown >= taken + Limits.stallRows
            if hasTaken { taken = shown }
            time = hasGiven || hasTaken ? .zero : time + step
        }
    }
}

/// When each device was last connected, and when it was last level; kept across restarts.
extension ServedZone {
    /// The notes about a device, from this run or an earlier one.
    package func peerNote(_ lane: LaneID) throws -> ZoneStore.PeerNote? {
        let stored = try sync.zone.store.peerNote(lane)
        guard let level = peerLevels[lane] else { return stored }
        return ZoneStore.PeerNote(seen: level.seen, level: level.level ?? stored?.level)
    }

    /// Whether a connected peer holds everything, judged by what it shows: its records are equal, it is not fetching
    /// from here or waiting for a record here, and it has every blob that is missing here.
    package func isLevel(_ peer: (session: SessionID, lane: LaneID, isEqual: Bool), now: MonotonicTime) -> Bool {
        holdsSame(peer) && !sync.isLacking(peer.session, now: now)
    }

    /// The same, except that it may also lack what is missing here.
    package func holdsSame(_ peer: (session: SessionID, lane: LaneID, isEqual: Bool)) -> Bool {
        peer.isEqual && !sync.isServing(peer.session) && !sync.zone.hasQueued
    }

    /// Whether a device in reach differs and has come no nearer for so long that nothing can be said to be on its way.
    package func isStalled(_ lane: LaneID) -> Bool {
        peerLevels[lane].map { $0.isPresent && $0.stall.time >= Limits.stallBound } ?? false
    }

    /// Whether a live peer is equal, or is not waited for.
    package func isSettled(_ peer: (session: SessionID, lane: LaneID, isEqual: Bool)) -> Bool {
        peer.isEqual || isStalled(peer.lane)
    }

    /// Whether a live peer shows rows that cannot be taken, or a head above all that it gives.
    package func isWithholding(_ id: SessionID) -> Bool {
        guard let session = sync.sessions[id] else { return false }
        return session.barred.values.contains(true)
            || session.view.values.contains { $0.head > sync.ownEntry($0.lane).head }
    }

    /// Whether records are still arriving, so that their content is not known yet.
    package var isFetchingRecords: Bool {
        sync.peers.contains { !isStalled($0.lane) && sync.isFetchingRecords(on: $0.session) }
    }

    /// A device disconnected since the last look, and the time until which it was level is not yet recorded.
    var hasUnnotedEnd: Bool {
        let present = Set(sync.peers.map(\.lane))
        return peerLevels.contains { $0.value.isPresent && !present.contains($0.key) }
    }

    func notePeers(now: MonotonicTime, wall: WallTime) {
        let present = sync.peers
        for peer in present {
            var level = peerLevels[peer.lane] ?? PeerLevel(seen: wall)
            let isLevel = isLevel(peer, now: now)
            // For a peer that fell behind, the last look at which it was level counts: it lacks what changed since.
            if isLevel { level.level = wall }
            if !level.isPresent || level.isLevel != isLevel { level.isDirty = true }
            if let notedAt = level.notedAt, now - notedAt >= Limits.peerNoteInterval { level.isDirty = true }
            level.isPresent = true
            level.isLevel = isLevel
            if let session = sync.sessions[peer.session] {
                level.stall.note(sync, session, isEqual: peer.isEqual, now: now)
            }
            level.seen = wall
            peerLevels[peer.lane] = level
        }
        let lanes = Set(present.map(\.lane))
        for lane in peerLevels.keys where !lanes.contains(lane) { noteGone(lane, wall: wall) }
        attempt { try writePeers(now: now, pause: Limits.peerNotePause) }
    }

    /// Called when the node stops: writes the notes about connected devices.
    func notePeersAtEnd(now: MonotonicTime, wall: WallTime) throws {
        for lane in peerLevels.keys { noteGone(lane, wall: wall) }
        try writePeers(now: now, pause: .zero)
    }

    private func noteGone(_ lane: LaneID, wall: WallTime) {
        guard var level = peerLevels[lane], level.isPresent else { return }
        level.isPresent = false
        level.isLevel = false
        level.seen = wall
        level.isDirty = true
        peerLevels[lane] = level
    }

    private func writePeers(now: MonotonicTime, pause: Duration) throws {
        for (lane, level) in peerLevels.sorted(by: { $0.key < $1.key }) {
            guard level.isDirty, level.notedAt.map({ now - $0 >= pause }) ?? true else { continue }
            try sync.zone.store.notePeer(lane, seen: level.seen, level: level.level)
            peerLevels[lane]?.isDirty = false
            peerLevels[lane]?.notedAt = now
        }
    }
}
