package import NodeCore
import SyncState

/// Deleting: hidden at once on all devices, and cut out of the archive by whoever wrote the segment.
///
/// The registers stay for ever. Where none shows what is deleted here, this node raises its own, so that no retirement
/// and no pruning revives anything (docs/PROTOCOL.md, §4.9).
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
    /// What was deleted in this transaction, and may stand in segments of this device.
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

    /// Deletes the messages that are in a conversation now. A later message opens it again.
    ///
    /// - Throws: `ChatError.unknownConversation` where there is none with messages or stubs.
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

    /// What is deleted, one a subject, in the order of their names.
    package func all() throws -> [Deletion] {
        try rows.all().reduce(into: []) { all, deletion in
            if let last = all.last, last.subject == deletion.subject {
                all[all.count - 1] = last.merged(with: deletion)
            } else {
                all.append(deletion)
            }
        }
    }

    /// Takes over what was deleted elsewhere, from an archive. False if it says nothing new.
    package func adopt(_ deletion: Deletion) throws -> Bool {
        try context.store.begin()
        guard try join(deletion) else { return false }
        try write(deletion)
        return true
    }

    /// Joins a deletion, of any device's. False if it says nothing new.
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

// MARK: - Cutting anew

extension DeletionsPart {
    /// Whether segments of this device wait to be cut anew without what is deleted.
    var hasRecuts: Bool { recuts.count > 0 }

    /// Cuts some of the segments of this device anew that hold what is deleted: under the same name and slot, so that
    /// they go everywhere, with the same messages, but for the bodies of those deleted.
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

/// What a deletion does to the archive.
package struct DeletionReport: Sendable {
    /// Messages that were shown and are not any more.
    package var messages = 0
    /// Segments of this device, which are cut anew without the bodies.
    package var cutAnew = 0
    /// Segments of other devices, which these cut anew when the deletion reaches them.
    package var waitFor: [(device: LaneID, segments: Int)] = []
    /// Segments whose writer does not exist any more: the bodies stay in them, sealed.
    package var staySealed = 0

    func with(messages: Int) -> DeletionReport {
        var report = self
        report.messages = messages
        return report
    }
}

extension ChatMessage {
    /// Without what the sender wrote. It keeps its place, so that all know which message is gone.
    fileprivate var withoutBody: ChatMessage {
        var message = self
        message.body = ""
        message.attachments = []
        return message
    }
}

/// Segments of this device that hold what is deleted, by sequence number: to be cut anew.
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

    /// Counts anew: at the start, and after a rollback.
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
