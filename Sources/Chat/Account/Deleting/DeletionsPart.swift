package import NodeCore
import SyncState

/// Deletion: hides messages at once on all devices, and can be undone. After seven days of running time the device that
/// wrote a segment removes the bodies from the archive.
///
/// The effective deletions follow from the registers that are held (docs/PROTOCOL-CHAT.md, §4.11).
package final class DeletionsPart: AccountPart {
    private static var migration: Migration {
        Migration(
            "deletions",
            sql: """
                CREATE TABLE live_deletion(
                    subject BLOB NOT NULL,
                    lane BLOB NOT NULL,
                    deletion BLOB NOT NULL,
                    PRIMARY KEY(subject, lane)) WITHOUT ROWID;
                CREATE TABLE recut(seq INTEGER PRIMARY KEY);
                """)
    }

    private let context: AccountContext
    private let archive: ArchivePart
    private let rows: LiveRows<Deletion>
    private let recuts: RecutList
    private let recent: RecentDeletions
    let bodies: AsideBodies
    /// Subjects whose registers changed since the last commit.
    private var suspects: Set<Deletion.Subject> = []
    /// Own values that a copy of this device has replaced since the last commit. They are written again after a fresh
    /// start.
    private var replaced: [Deletion] = []
    /// Conversations whose deletion names a message, by that message.
    private var waiting: [TxID: Set<Deletion.Subject>] = [:]

    init(_ context: AccountContext, _ archive: ArchivePart) throws {
        self.context = context
        self.archive = archive
        try context.database.migrate("deletions", [Self.migration, RecentDeletions.migration])
        rows = try LiveRows(
            context.database,
            .init(table: "live_deletion", subject: "subject", value: "deletion", isText: false))
        recuts = try RecutList(context.database)
        recent = try RecentDeletions(context.database)
        bodies = AsideBodies(context)
    }

    /// Deletes a message, held or not.
    package func delete(message txid: TxID, wall: WallTime) throws -> DeletionReport {
        try context.store.begin()
        let report = try self.report([txid: try context.chat.locations(of: txid)])
        let isNew = try say(.message(txid), .deleted, at: wall)
        try settle()
        return report.with(messages: isNew ? 1 : 0)
    }

    /// Deletes the messages that are in a conversation now. A new message reopens it.
    ///
    /// - Throws: `ChatError.unknownConversation` if it has neither messages nor stubs.
    package func delete(conversation id: String, wall: WallTime) throws -> DeletionReport {
        try context.store.begin()
        let messages = try context.chat.conversation(id)?.messages ?? 0
        let (bound, txids) = try context.chat.deletions.deletion(of: id, wall: wall)
        let report = try report(ofConversation: id)
        for txid in txids { try say(.message(txid), .deleted, at: wall) }
        if let bound { try say(.conversation(id), .deletedUpTo(bound), at: wall) }
        try settle()
        return report.with(messages: messages)
    }

    /// Undoes the deletion of a message. False if it is not deleted by itself.
    package func restore(message txid: TxID, wall: WallTime) throws -> Bool {
        try context.store.begin()
        let isNew = try say(.message(txid), .undone, at: wall)
        try settle()
        return isNew
    }

    /// Undoes the deletion of a conversation, with the messages that were deleted by themselves because of it.
    ///
    /// - Returns: how many messages are listed now that were not; nil if it is not deleted.
    package func restore(conversation id: String, wall: WallTime) throws -> Int? {
        let subject = Deletion.Subject.conversation(id)
        guard let deletion = try deletion(of: subject) else { return nil }
        try context.store.begin()
        let before = try context.chat.conversation(id)?.messages ?? 0
        try say(subject, .undone, at: wall)
        for (subject, _) in try recent.all() {
            guard case .message = subject, try self.deletion(of: subject)?.at == deletion.at else { continue }
            try say(subject, .undone, at: wall)
        }
        try settle()
        return (try context.chat.conversation(id)?.messages ?? 0) - before
    }

    /// The deletions that count, one per subject, in order of their names.
    package func all() throws -> [Deletion] {
        var found: [Deletion] = []
        var same: [Deletion] = []
        for deletion in try rows.all() {
            if same.last.map({ $0.subject != deletion.subject }) ?? false {
                found += [try effective(same).deletion].compactMap(\.self)
                same = []
            }
            same.append(deletion)
        }
        return (found + [try effective(same).deletion].compactMap(\.self)).filter { $0.state != .undone }
    }

    /// The deletions of the last seven days of running time, latest first. A message of which nothing is here, as after
    /// an archive that has only its deletion, cannot be brought back.
    package func recentlyDeleted() throws -> [RecentDeletion] {
        var found: [RecentDeletion] = []
        for (subject, since) in try recent.all() {
            guard let deletion = try deletion(of: subject) else { continue }
            let left = max(since + SyncState.Limits.keptAside - context.store.runningTime, .zero)
            var copy: ChatMessage?
            if case .message(let txid) = subject {
                copy = try context.chat.heldCopy(of: txid)
                guard copy != nil else { continue }
            }
            found.append(RecentDeletion(subject: subject, at: deletion.at, left: left, copy: copy))
        }
        // Messages that went with their conversation come back with it.
        let conversations = Set(found.filter { !$0.isMessage }.map(\.at))
        return found.filter { !$0.isMessage || !conversations.contains($0.at) }
            .sorted { ($1.at, $1.subject) < ($0.at, $0.subject) }
    }

    /// Adopts a deletion from an archive, after the archive's messages. Archives omit deleted messages, so the newest
    /// message here may have to stand for the one that a conversation's deletion names. False if it is not new.
    package func adopt(_ deletion: Deletion) throws -> Bool {
        try context.store.begin()
        var state = deletion.state
        if case .conversation(let id) = deletion.subject, let bound = deletion.bound, try self.reach(of: bound) == nil,
            let here = try context.chat.deletions.newestBound(of: id, through: bound.through)
        {
            state = .deletedUpTo(here)
        }
        let isNew = try say(deletion.subject, state, at: deletion.at)
        try settle()
        return isNew
    }

    private func deletion(of subject: Deletion.Subject) throws -> Deletion? {
        let deletion = try latest(subject)
        return deletion?.state == .undone ? nil : deletion
    }

    private func isUndone(_ subject: Deletion.Subject) throws -> Bool { try latest(subject)?.state == .undone }

    private func latest(_ subject: Deletion.Subject) throws -> Deletion? {
        try effective(rows.byLane(of: subject.slotName).map(\.content)).deletion
    }

    /// Writes this device's register. False if it already says so.
    @discardableResult
    private func say(_ subject: Deletion.Subject, _ state: Deletion.State, at wall: WallTime) throws -> Bool {
        let held = try rows.byLane(of: subject.slotName)
        let now = try effective(held.map(\.content))
        let isUndoing = state == .undone
        switch (now.deletion?.state ?? .undone, state) {
        case (.undone, .undone), (.deleted, .deleted): return false
        case (.deletedUpTo, .deletedUpTo(let bound)):
            if let reach = now.reach, reach >= (try self.reach(of: bound) ?? bound.through) { return false }
        default: break
        }
        let others = held.filter { $0.lane != context.lane }.map(\.content.revision)
        let own = held.first { $0.lane == context.lane }?.content.revision
        let revision = Revisions.next(above: others, own: own, step: isUndoing ? 1 : 0)
        try context.write(Deletion(subject, state, revision: revision, at: wall))
        return true
    }

    // MARK: Registers

    func held(_ content: Deletion, in lane: LaneID) throws {
        try rows.put(content, of: content.subject.slotName, lane: lane)
        settleAgain(content.subject)
        wait(for: content)
    }

    func lost(_ content: Deletion, in lane: LaneID) throws {
        try rows.remove(content.subject.slotName, lane: lane)
        settleAgain(content.subject)
        if lane == context.lane { replaced.append(content) }
    }

    func isTaken(_ content: Deletion, in lane: LaneID) throws -> Bool {
        guard try rows.holds(content, of: content.subject.slotName, lane: lane) else { return false }
        // A conversation's deletion is applied at each start.
        guard case .message(let txid) = content.subject else { return true }
        return try context.chat.isDeleted(txid) == (latest(content.subject)?.state == .deleted)
    }

    /// The message that a deletion names may be gone.
    func settleAgain(_ subject: Deletion.Subject) {
        suspects.insert(subject)
        context.store.mustSettle = true
    }

    private func wait(for content: Deletion) {
        guard let named = content.bound?.named else { return }
        waiting[named, default: []].insert(content.subject)
        context.chat.conversations.deletions.bounds.name(named)
    }

    func settle() throws {
        for txid in context.chat.conversations.deletions.bounds.takeNews() {
            suspects.formUnion(waiting[txid] ?? [])
        }
        for subject in suspects.sorted() {
            try apply(try effective(rows.byLane(of: subject.slotName).map(\.content)), to: subject)
        }
        (suspects, replaced) = ([], [])
        try bodies.settle(isUndone)
        try recutDeleted()
    }

    private func apply(_ value: Effective, to subject: Deletion.Subject) throws {
        let isDeleted: Bool
        switch subject {
        case .message(let txid):
            isDeleted = value.deletion?.state == .deleted
            guard try context.chat.deletions.setDeleted(txid, isDeleted) else { return }
        case .conversation(let id):
            isDeleted = value.reach != nil
            guard let isLowered = try context.chat.deletions.setDeleted(conversation: id, through: value.reach) else {
                return
            }
            if isLowered { try relist(id) }
        }
        if isDeleted {
            try recent.note(subject, since: context.store.runningTime)
        } else {
            try recent.forget(subject)
            try bodies.bringBack(subject)
        }
    }

    /// The effective deletion of one subject, from all its registers.
    private struct Effective {
        /// The register that applies; nil if there are none.
        var deletion: Deletion?
        /// The time in milliseconds up to which a conversation is deleted; nil for none.
        var reach: UInt64?

        /// Within one revision, deleting wins over undoing, then the further reach, then the earlier time.
        func goesBefore(_ other: Effective) -> Bool {
            guard let deletion, let compared = other.deletion else { return deletion != nil }
            if (deletion.state == .undone) != (compared.state == .undone) { return compared.state == .undone }
            if reach != other.reach { return reach ?? 0 > other.reach ?? 0 }
            return deletion.at < compared.at
        }
    }

    /// A deletion that names a message counts only while a copy of the message is held.
    private func effective(_ deletions: [Deletion]) throws -> Effective {
        let counted = try deletions.compactMap { deletion -> Effective? in
            guard let bound = deletion.bound else { return Effective(deletion: deletion) }
            return try self.reach(of: bound).map { Effective(deletion: deletion, reach: $0) }
        }
        let top = Revisions.highestCounting(counted.compactMap(\.deletion?.revision))
        return counted.filter { $0.deletion?.revision == top }.max { $1.goesBefore($0) } ?? Effective()
    }

    /// Nil while the named message is not held.
    private func reach(of bound: Deletion.Bound) throws -> UInt64? {
        try context.chat.placedCopy(of: bound.named).map { min($0.scaleTime, bound.through) }
    }

    func rowsLost(in lane: LaneID) throws { try settle(rows.all(in: lane), in: lane, context) }

    func republish(from old: LaneID) throws {
        let said = Dictionary(grouping: try rows.all(in: old) + replaced, by: \.subject)
        for subject in said.keys.sorted() {
            if let deletion = try effective(said[subject] ?? []).deletion { try context.write(deletion) }
        }
    }

    func reload() throws {
        (suspects, replaced) = ([], [])
        bodies.reload()
        waiting = [:]
        context.chat.conversations.deletions.bounds = NamedMessages()
        for deletion in try rows.all(from: "delete.conversation.", to: "delete.conversation/") { wait(for: deletion) }
        try recuts.load()
        try recent.load()
    }
}

// MARK: - The listing

extension DeletionsPart {
    /// Lists a conversation's messages again after its deletion has come to reach less far.
    private func relist(_ conversation: String) throws {
        var batch: [(arrival: UInt64, messages: [ChatMessage])] = []
        for lane in context.store.vector {
            for record in try archive.records(of: conversation, lane: lane.id) {
                guard let segment = try archive.messages(of: record) else { continue }
                batch.append(segment)
                if batch.count == Limits.relistedAtOnce {
                    try context.chat.deletions.relist(conversation, batch)
                    batch = []
                }
            }
        }
        try context.chat.deletions.relist(conversation, batch)
    }
}

// MARK: - Rewriting segments

extension DeletionsPart {
    /// Whether segments of this device still have to be rewritten without deleted messages.
    var hasRecuts: Bool { recuts.count > 0 }

    /// True if bodies must be removed because their seven days are over.
    private var hasDue: Bool {
        recent.first.map { $0 + SyncState.Limits.keptAside <= context.store.runningTime } ?? false
    }

    /// Removes bodies whose seven days are over, and rewrites segments.
    func work() throws {
        guard hasDue || hasRecuts else { return }
        try context.store.begin()
        for (subject, since) in try recent.all() where since + SyncState.Limits.keptAside <= context.store.runningTime {
            try recent.forget(subject)
            try context.chat.deletions.erase(subject)
            try noteRecuts(of: subject)
        }
        try recutDeleted()
    }

    /// Rewrites some segments of this device that contain deleted messages: under the same name and slot, so that they
    /// replace the old ones everywhere, with the same messages minus the deleted bodies.
    private func recutDeleted() throws {
        for seq in try recuts.take(limit: Limits.recutsAtOnce) {
            try archive.recut(seq) { message in
                try context.chat.isDeletedForGood(message) && !isRecent(message) ? message.withoutBody : message
            }
        }
    }

    private func isRecent(_ message: ChatMessage) throws -> Bool {
        try context.chat.isDeleted(message.txid)
            ? recent.contains(.message(message.txid)) : recent.contains(.conversation(message.conversationID))
    }

    /// Handles the return of a segment's blob that this device wrote: some of its bodies may have become due meanwhile.
    func noteReturn(of record: Record) throws {
        if record.lane == context.lane { try recuts.add(record.seq) }
    }

    private func noteRecuts(of subject: Deletion.Subject) throws {
        switch subject {
        case .message(let txid):
            for location in try context.chat.locations(of: txid) where !location.isQueued {
                guard let record = try context.segments.record(of: location.id), record.lane == context.lane else {
                    continue
                }
                try recuts.add(record.seq)
            }
        case .conversation(let id):
            for record in try archive.records(of: id, lane: context.lane) { try recuts.add(record.seq) }
        }
    }

    // MARK: Reporting

    private func report(_ locations: [TxID: [MessageLocation]]) throws -> DeletionReport {
        var segments: [LaneID: Int] = [:]
        for location in locations.values.flatMap({ $0 }) where !location.isQueued {
            guard let record = try context.segments.record(of: location.id) else { continue }
            segments[record.lane, default: 0] += 1
        }
        return DeletionReport(segments, in: context)
    }

    private func report(ofConversation id: String) throws -> DeletionReport {
        var segments: [LaneID: Int] = [:]
        for lane in context.store.vector {
            let count = try archive.records(of: id, lane: lane.id).count
            if count > 0 { segments[lane.id] = count }
        }
        return DeletionReport(segments, in: context)
    }
}
