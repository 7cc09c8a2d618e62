package import NodeCore
import SyncState

/// Deletion: hides messages at once on all devices; the device that wrote a segment removes them from the archive.
///
/// The registers stay for ever. If none shows what is deleted here, this node raises its own, so that no retirement or
/// pruning brings anything back (docs/PROTOCOL.md, §4.9).
package final class DeletionsPart: JoinedPart {
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

    let context: AccountContext
    private let archive: ArchivePart
    var suspects: Set<Deletion.Subject> = []
    private let rows: LiveRows<Deletion>
    private let recuts: RecutList
    /// Subjects deleted in this transaction that may be in segments of this device.
    private var mustRecut: [Deletion.Subject] = []

    init(_ context: AccountContext, _ archive: ArchivePart) throws {
        self.context = context
        self.archive = archive
        try context.database.migrate("deletions", [Self.migration])
        rows = try LiveRows(
            context.database,
            .init(table: "live_deletion", subject: "subject", value: "deletion", isText: false))
        recuts = try RecutList(context.database)
    }

    /// Deletes a message, held or not.
    package func delete(message txid: TxID) throws -> DeletionReport {
        try context.store.begin()
        let report = try self.report([txid: try context.chat.locations(of: txid)])
        let deletion = Deletion(message: txid)
        let isNew = try join(deletion)
        if isNew { try write(deletion) }
        context.store.mustSettle = true
        return report.with(messages: isNew ? 1 : 0)
    }

    /// Deletes the messages that are in a conversation now. A new message reopens it.
    ///
    /// - Throws: `ChatError.unknownConversation` if it has neither messages nor stubs.
    package func delete(conversation id: String, wall: WallTime) throws -> DeletionReport {
        try context.store.begin()
        let messages = try context.chat.conversation(id)?.messages ?? 0
        let (through, txids) = try context.chat.deletion(of: id, wall: wall)
        let report = try report(ofConversation: id)
        for txid in txids {
            let deletion = Deletion(message: txid)
            if try join(deletion) { try write(deletion) }
        }
        if let through {
            let deletion = Deletion(conversation: id, through: through)
            if try join(deletion) { try write(deletion) }
        }
        context.store.mustSettle = true
        return report.with(messages: messages)
    }

    /// All deletions, one per subject, in order of their names.
    package func all() throws -> [Deletion] {
        try rows.all().reduce(into: []) { all, deletion in
            if let last = all.last, last.subject == deletion.subject {
                all[all.count - 1] = last.merged(with: deletion)
            } else {
                all.append(deletion)
            }
        }
    }

    /// Adopts a deletion from an archive. False if it is not new.
    package func adopt(_ deletion: Deletion) throws -> Bool {
        try context.store.begin()
        guard try join(deletion) else { return false }
        try write(deletion)
        return true
    }

    /// Joins a deletion of any device. False if it is not new.
    private func join(_ deletion: Deletion) throws -> Bool {
        let isNew =
            switch deletion.subject {
            case .message(let txid): try context.chat.delete(txid)
            case .conversation(let id): try context.chat.delete(conversation: id, through: deletion.through)
            }
        if isNew {
            mustRecut.append(deletion.subject)
            context.store.mustSettle = true
        }
        return isNew
    }

    // MARK: Registers

    func merge(_ content: Deletion, from lane: LaneID) throws {
        _ = try join(content)
        suspects.insert(content.subject)
    }

    func held(_ content: Deletion, in lane: LaneID) throws {
        try rows.put(content, of: content.subject.slotName, lane: lane)
    }

    func lost(_ content: Deletion, in lane: LaneID) throws {
        try rows.remove(content.subject.slotName, lane: lane)
        suspect(content.subject)
    }

    func settle() throws {
        try raise()
        try recutDeleted()
    }

    func republish(from old: LaneID) throws {
        for deletion in try rows.all(in: old) { try write(deletion) }
    }

    func reload() throws {
        suspects = []
        mustRecut = []
        try recuts.load()
    }

    func subject(of content: Deletion) -> Deletion.Subject { content.subject }

    func effective(_ subject: Deletion.Subject) throws -> Deletion? {
        switch subject {
        case .message(let txid): Deletion(message: txid)
        case .conversation(let id):
            try context.chat.deletedThrough(id).map { Deletion(conversation: id, through: $0) }
        }
    }

    func live(_ subject: Deletion.Subject) throws -> Deletion? {
        try rows.all(of: subject.slotName).reduce(nil) { $0?.merged(with: $1) ?? $1 }
    }
}

// MARK: - Rewriting segments

extension DeletionsPart {
    /// Whether segments of this device still have to be rewritten without deleted messages.
    var hasRecuts: Bool { recuts.count > 0 }

    /// Rewrites some segments of this device that contain deleted messages: under the same name and slot, so that they
    /// replace the old ones everywhere, with the same messages minus the deleted bodies.
    func recutDeleted() throws {
        for subject in mustRecut { try noteRecuts(of: subject) }
        mustRecut = []
        for seq in try recuts.take(limit: Limits.recutsAtOnce) {
            try archive.recut(seq) { try context.chat.isDeletedForGood($0) ? $0.withoutBody : $0 }
        }
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
        return report(segments)
    }

    private func report(ofConversation id: String) throws -> DeletionReport {
        var segments: [LaneID: Int] = [:]
        for lane in context.store.vector {
            let count = try archive.records(of: id, lane: lane.id).count
            if count > 0 { segments[lane.id] = count }
        }
        return report(segments)
    }

    private func report(_ segments: [LaneID: Int]) -> DeletionReport {
        var report = DeletionReport()
        for (id, count) in segments.sorted(by: { $0.key < $1.key }) {
            if id == context.lane {
                report.cutAnew += count
            } else if context.store.lane(id)?.isRetired == true {
                report.staySealed += count
            } else {
                report.waitFor.append((id, count))
            }
        }
        return report
    }
}

/// The effect of a deletion on the archive.
package struct DeletionReport: Sendable {
    /// Messages that were shown and no longer are.
    package var messages = 0
    /// Segments of this device, which are rewritten without the bodies.
    package var cutAnew = 0
    /// Segments of other devices, which those will rewrite when the deletion reaches them.
    package var waitFor: [(device: LaneID, segments: Int)] = []
    /// Segments whose writer no longer exists: the bodies stay in them, sealed.
    package var staySealed = 0

    func with(messages: Int) -> DeletionReport {
        var report = self
        report.messages = messages
        return report
    }
}

extension ChatMessage {
    /// The message without what its sender wrote. It keeps its position, so that all devices know which message was
    /// deleted.
    fileprivate var withoutBody: ChatMessage {
        var message = self
        message.body = ""
        message.attachments = []
        return message
    }
}

/// Segments of this device, by sequence number, that contain deleted messages and must be rewritten.
private final class RecutList {
    private let database: Database
    private(set) var count = 0
    private let insert, first, delete, number: Statement

    init(_ database: Database) throws {
        self.database = database
        insert = try database.prepare("INSERT OR IGNORE INTO recut(seq) VALUES(?)")
        first = try database.prepare("SELECT seq FROM recut ORDER BY seq LIMIT ?")
        delete = try database.prepare("DELETE FROM recut WHERE seq = ?")
        number = try database.prepare("SELECT count(*) FROM recut")
        try load()
    }

    /// Recounts them, at the start and after a rollback.
    func load() throws {
        defer { number.reset() }
        count = try number.step() ? Int(number.int(0)) : 0
    }

    func add(_ seq: UInt64) throws {
        insert.bind(1, Int64(bitPattern: seq))
        try insert.run()
        count += database.changes
    }

    func take(limit: Int) throws -> [UInt64] {
        first.bind(1, Int64(limit))
        var found: [UInt64] = []
        while try first.step() { found.append(UInt64(bitPattern: first.int(0))) }
        for seq in found {
            delete.bind(1, Int64(bitPattern: seq))
            try delete.run()
        }
        count -= found.count
        return found
    }
}
