package import NodeCore
package import SyncState

/// The changes of a zone, for apps: a persisted sequence that is read from a token on (docs/STORAGE.md, §3.6).
///
/// Code that changes something calls `note` in the same turn; the entries are written in its commit, so that after a
/// crash there is neither a change without an entry nor an entry without its change. Repeated changes wait in memory
/// and in `change_held` until a window has passed; they get a number when they become an entry. So an entry never
/// changes for a reader, and entries already read precede all others.
package final class ChangeFeed: CommitObserver {
    /// Set on each turn from the shell's clocks.
    package var now: MonotonicTime
    package var wall = WallTime(milliseconds: 0)
    /// The number of the newest entry; 0 if there never was one. It grows only with commits.
    package private(set) var latest: UInt64 = 0

    let database: Database
    let statements: ChangeStatements
    private var random: any RandomSource
    private(set) var id: Bytes16
    /// The number of the oldest entry kept; if none is, of the next one.
    private(set) var oldest: UInt64 = 1

    /// Changes noted since the last commit: single messages, and groups.
    private var singles: [ChangeGroup] = []
    private var groups = ChangeGroups()
    private var gathering = 0
    /// Changes reported in the current window; repetitions are held.
    private var told: Set<ChangeGroup.Key> = []
    private var held = ChangeGroups()
    private var windowEnd: MonotonicTime?
    /// The zone's state in the newest entry about it, empty if there is none; nil while it was not read.
    private var toldState: String?

    /// When the data last changed, as of that newest entry.
    var dataChange: (latest: UInt64, at: WallTime?)?

    private var seenRollbacks: UInt64
    /// The rollback count when the first of the notes was made.
    private var notedAfter: UInt64
    private var nextPrune: UInt64 = 0

    package init(database: Database, random: any RandomSource, now: MonotonicTime) throws {
        try database.migrate("changes", ChangeStatements.migrations)
        self.database = database
        self.random = random
        self.now = now
        statements = try ChangeStatements(database)
        seenRollbacks = database.rollbackCount
        notedAfter = seenRollbacks
        id = .zero
        if let stored = try statements.feedID() {
            id = stored
        } else {
            id = self.random.identifier()
            try statements.putFeed(id)
        }
        try load()
    }

    private func load() throws {
        told = []
        held = ChangeGroups()
        if let stored = try statements.feedID() { id = stored }
        (oldest, latest) = try statements.bounds()
        for group in try statements.heldGroups() { held.add(group) }
        toldState = nil
        dataChange = nil
        windowEnd = held.isEmpty ? nil : now
    }

    /// Discards notes of a transaction that was rolled back.
    private func forgetUndone() {
        guard notedAfter != database.rollbackCount else { return }
        singles = []
        groups = ChangeGroups()
        notedAfter = database.rollbackCount
    }

    /// Reads again what a rollback may have undone.
    package func synchronise() throws {
        forgetUndone()
        guard seenRollbacks != database.rollbackCount else { return }
        try load()
        seenRollbacks = database.rollbackCount
    }

    // MARK: Noting

    /// Notes a change made in the current turn; it is reported with the turn's commit.
    package func note(
        _ kind: ChangeKind, _ txid: TxID? = nil, conversation: String? = nil, device: LaneID? = nil,
        group: ZoneID? = nil
    ) {
        note(ChangeGroup(of: kind, txid, conversation: conversation, device: device, group: group))
    }

    func note(_ group: ChangeGroup) {
        forgetUndone()
        if gathering == 0, group.isSingle, singles.count < Limits.singleChanges {
            if !singles.contains(group) { singles.append(group) }
        } else {
            groups.add(group)
        }
    }

    /// Messages noted by `body` are history, and reported in groups: for an import or a restore.
    package func gather<T>(_ body: () throws -> T) rethrows -> T {
        gathering += 1
        defer { gathering -= 1 }
        return try body()
    }

    /// Notes the zone's state if it differs from the last one reported.
    package func note(state: String) throws {
        try synchronise()
        if toldState == nil { toldState = try statements.latestState() ?? "" }
        let waiting = (held.all + groups.all).last { $0.kind == .sync }
        guard (waiting?.state ?? toldState) != state else { return }
        note(ChangeGroup(of: .sync, state: state))
    }

    // MARK: Commit

    /// When something must be written even if nothing else changes; nil for never.
    package var deadline: MonotonicTime? {
        if hasNotes { return .zero }
        return held.isEmpty ? nil : windowEnd
    }

    /// Whether the next commit has something to write.
    package var isDue: Bool { deadline.map { $0 <= now } ?? false }

    /// Reports held changes with the next commit, not only at the end of their window.
    package func cutWindow() {
        if !held.isEmpty { windowEnd = now }
    }

    private var hasNotes: Bool { !singles.isEmpty || !groups.isEmpty }

    /// Writes the turn's entries in the transaction that is about to be committed.
    package func write() throws {
        try synchronise()
        try endWindow()
        for group in singles { try append(group) }
        singles.removeAll(keepingCapacity: true)
        if !groups.isEmpty { try write(groups.take()) }
        if latest >= nextPrune { try prune() }
    }

    private func endWindow() throws {
        guard let end = windowEnd, now >= end else { return }
        let released = held.take()
        for group in released { try append(group) }
        if !released.isEmpty { try statements.deleteHeld.run() }
        told = Set(released.map(\.key))
        windowEnd = released.isEmpty ? nil : now + Limits.changeWindow
    }

    private func write(_ groups: [ChangeGroup]) throws {
        var waiting: [ChangeGroup] = []
        for group in groups {
            if told.insert(group.key).inserted {
                try append(group)
            } else {
                held.add(group)
                waiting.append(group)
            }
        }
        if windowEnd == nil { windowEnd = now + Limits.changeWindow }
        if !waiting.isEmpty { try statements.hold(waiting) }
    }

    private func append(_ group: ChangeGroup) throws {
        if let state = group.state {
            // The state may have returned to the reported one while it was held.
            if state == toldState { return }
            toldState = state
        }
        latest += 1
        try statements.insert(group, number: latest, at: wall)
    }

    /// Removes entries that are too many or too old; keeps the newest, since the next number depends on it.
    private func prune() throws {
        nextPrune = latest + Limits.changesBetweenPrunes
        guard latest > 0 else { return }
        let first = latest > Limits.keptChanges ? latest - Limits.keptChanges + 1 : 1
        try statements.prune(below: first, newest: latest, olderThan: wall - Limits.keptChangesFor)
        oldest = try statements.bounds().oldest
    }

    /// Starts again under another id: the store may have been restored, and a reader could miss or repeat changes.
    package func renew() throws {
        try synchronise()
        id = random.identifier()
        try statements.putFeed(id)
        try statements.deleteAll()
        (oldest, latest, nextPrune) = (1, 0, 0)
        dataChange = nil
        toldState = nil
        told = []
        _ = held.take()
        windowEnd = nil
    }
}

/// Reading the feed. Nothing here changes it or waits: to learn of more entries, compare `latest` after the turn's
/// commit.
extension ChangeFeed {
    /// The entries after a number, ascending; at most `limit`, and never more than 1,000.
    package func read(after number: UInt64, limit: Int) throws -> [ChangeEntry] {
        try synchronise()
        var entries: [ChangeEntry] = []
        try statements.read(after: number, limit: min(limit, Limits.readChanges)) { number, at, group in
            let token = token(number: number, at: at, kind: group.kind)
            entries.append(ChangeEntry(number: number, at: at, token: token, group: group))
        }
        return entries
    }

    /// When the zone's data last changed, as far back as the feed goes; nil if there is no such entry.
    package func latestDataChange() throws -> WallTime? {
        try synchronise()
        if let known = dataChange, known.latest == latest { return known.at }
        let at = try statements.latestData()
        dataChange = (latest, at)
        return at
    }

    /// The position after the newest entry.
    package func latestToken() throws -> ChangeToken {
        try synchronise()
        guard latest > 0, let newest = try read(after: latest - 1, limit: 1).first else {
            return ChangeToken(feed: id.w0, number: 0, mark: 0)
        }
        return newest.token
    }

    /// The number after which a reader with this token continues.
    ///
    /// - Throws: `ChangeError` if it would miss changes, or has seen different ones.
    package func number(of token: ChangeToken) throws -> UInt64 {
        try synchronise()
        guard token.feed == id.w0, token.number <= latest else { throw ChangeError.foreignToken }
        if token.number == 0, oldest == 1 {
            guard token.mark == 0 else { throw ChangeError.foreignToken }
            return 0
        }
        // The entry itself is needed: its mark shows that the reader was given this one and no other.
        guard token.number >= oldest else { throw ChangeError.expiredToken }
        guard try read(after: token.number - 1, limit: 1).first?.token == token else { throw ChangeError.foreignToken }
        return token.number
    }

    private func token(number: UInt64, at: WallTime, kind: ChangeKind) -> ChangeToken {
        var writer = ByteWriter(capacity: 17)
        writer.write(u64: number)
        writer.write(u64: UInt64(bitPattern: at.milliseconds))
        writer.write(u8: kind.rawValue)
        let mark = SipHash.hash64(writer.bytes, key: id)
        return ChangeToken(feed: id.w0, number: number, mark: UInt32(truncatingIfNeeded: mark))
    }
}
