package import NodeCore
package import SyncState

/// What changed in a zone, for apps: a persisted sequence that is read from a token on (docs/STORAGE.md, §3.6).
///
/// Whoever changes something says so with `note`, in the turn of the change; the entries are written in its commit, so
/// that neither a change without an entry nor an entry without its change survives a crash. What is noted again and
/// again waits in memory and in `change_held` until a window has passed; it gets its number when it becomes an entry.
/// So a reader never sees an entry change, and what it was given comes before all that it was not.
package final class ChangeFeed: CommitObserver {
    /// Set at each turn, as the shell's clocks say.
    package var now: MonotonicTime
    package var wall = WallTime(milliseconds: 0)
    /// The number of the newest entry; 0 if there never was one. It grows with commits only.
    package private(set) var latest: UInt64 = 0

    let database: Database
    let statements: ChangeStatements
    private var random: any RandomSource
    private(set) var id: Bytes16
    /// The number of the oldest entry kept; of the next one if none is.
    private(set) var oldest: UInt64 = 1

    /// Noted since the last commit: each message for itself, and in groups.
    private var singles: [ChangeGroup] = []
    private var groups = ChangeGroups()
    private var gathering = 0
    /// Told in the current window; what comes again is held.
    private var told: Set<ChangeGroup.Key> = []
    private var held = ChangeGroups()
    private var windowEnd: MonotonicTime?
    /// The zone's state in the newest entry about it, empty where there is none; nil while it was not read.
    private var toldState: String?

    /// When the data changed last, as of that newest entry.
    var dataChange: (latest: UInt64, at: WallTime?)?

    private var seenRollbacks: UInt64
    /// How many rollbacks there had been when the first of the notes was made.
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

    /// What was noted in a transaction that was rolled back did not happen.
    private func forgetUndone() {
        guard notedAfter != database.rollbackCount else { return }
        singles = []
        groups = ChangeGroups()
        notedAfter = database.rollbackCount
    }

    /// Reads anew what a rollback may have undone.
    package func synchronise() throws {
        forgetUndone()
        guard seenRollbacks != database.rollbackCount else { return }
        try load()
        seenRollbacks = database.rollbackCount
    }

    // MARK: Noting

    /// Notes a change that the current turn makes; it is told with the turn's commit.
    package func note(_ change: Change) { note(ChangeGroup(change)) }

    func note(_ group: ChangeGroup) {
        forgetUndone()
        if gathering == 0, group.isSingle, singles.count < Limits.singleChanges {
            if !singles.contains(group) { singles.append(group) }
        } else {
            groups.add(group)
        }
    }

    /// What `body` notes of messages is history, and told in groups: an import, a restore.
    package func gather<T>(_ body: () throws -> T) rethrows -> T {
        gathering += 1
        defer { gathering -= 1 }
        return try body()
    }

    /// Notes the zone's state where it is another than the latest told.
    package func note(state: String) throws {
        try synchronise()
        if toldState == nil { toldState = try statements.latestState() ?? "" }
        let waiting = (held.all + groups.all).last { $0.kind == .sync }
        guard (waiting?.state ?? toldState) != state else { return }
        note(.sync(state))
    }

    // MARK: Commit

    /// When there is something to be written although nothing else changes; nil: never.
    package var deadline: MonotonicTime? {
        if hasNotes { return .zero }
        return held.isEmpty ? nil : windowEnd
    }

    /// Whether the next commit has something to write.
    package var isDue: Bool { deadline.map { $0 <= now } ?? false }

    /// What is held is told with the next commit, and not only when its window ends.
    package func cutWindow() {
        if !held.isEmpty { windowEnd = now }
    }

    private var hasNotes: Bool { !singles.isEmpty || !groups.isEmpty }

    /// Writes the entries of the turn, in the transaction that is about to be committed.
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
            // It may have come back to what was told while it was held.
            if state == toldState { return }
            toldState = state
        }
        latest += 1
        try statements.insert(group, number: latest, at: wall)
    }

    /// Takes away what is too much or too old; the newest stays, since the next number follows from it.
    private func prune() throws {
        nextPrune = latest + Limits.changesBetweenPrunes
        guard latest > 0 else { return }
        let first = latest > Limits.keptChanges ? latest - Limits.keptChanges + 1 : 1
        try statements.prune(below: first, newest: latest, olderThan: wall - Limits.keptChangesFor)
        oldest = try statements.bounds().oldest
    }

    /// Begins anew under another id: the store may have been put back, and a reader could lose or repeat changes.
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

/// Reading the feed. Nothing here changes it, and nothing waits: who wants to hear of more compares `latest` after the
/// turn's commit.
extension ChangeFeed {
    /// The entries behind a number, ascending; at most `limit`, and never more than 1,000.
    package func read(after number: UInt64, limit: Int) throws -> [ChangeEntry] {
        try synchronise()
        var entries: [ChangeEntry] = []
        try statements.read(after: number, limit: min(limit, Limits.readChanges)) { number, at, group in
            let token = token(number: number, at: at, kind: group.kind)
            entries.append(ChangeEntry(number: number, at: at, token: token, group: group))
        }
        return entries
    }

    /// When the zone's data changed last, as far as the feed goes back; nil where it tells of nothing.
    package func latestDataChange() throws -> WallTime? {
        try synchronise()
        if let known = dataChange, known.latest == latest { return known.at }
        let at = try statements.latestData()
        dataChange = (latest, at)
        return at
    }

    /// Behind the newest entry.
    package func latestToken() throws -> ChangeToken {
        try synchronise()
        guard latest > 0, let newest = try read(after: latest - 1, limit: 1).first else {
            return ChangeToken(feed: id.w0, number: 0, mark: 0)
        }
        return newest.token
    }

    /// The number from which a reader with this token goes on.
    ///
    /// - Throws: `ChangeError` where it would miss changes, or has seen others.
    package func number(of token: ChangeToken) throws -> UInt64 {
        try synchronise()
        guard token.feed == id.w0, token.number <= latest else { throw ChangeError.foreignToken }
        if token.number == 0, oldest == 1 {
            guard token.mark == 0 else { throw ChangeError.foreignToken }
            return 0
        }
        // The entry itself is needed, since its mark shows that the reader was given this one and no other.
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
