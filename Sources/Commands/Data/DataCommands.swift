import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// Imports, exports, backups and checks of the stored data.
extension Command {
    static let data: [Command] = [importing, export, backup, flush, scrub]

    static let importing = Command(
        "import", "Import messages from JSON lines or an archive (duplicates are skipped)",
        examples: [
            "chat.jsonl", "chat.kachat", "chat.jsonl --device phone", "zcat chat.jsonl.gz | kachat-node import -",
        ],
        takes: [
            file, account, ImportOperation.device, ImportOperation.placeholderText,
            Parameter.flag("--partial", "import the intact parts of a damaged archive"), ImportOperation.force,
        ],
        hidden: [ImportOperation.archiveAccount],
        at: [
            Endpoint(
                "importChat", .post, "/v1/import", .scope(.chatWrite),
                "Import messages, one a line (duplicates are skipped)",
                takes: [ImportOperation.device, ImportOperation.placeholderText],
                body: .lines(.of(Either<NewMessage, StateFields>.self)),
                answer: imported),
            Endpoint(
                "importArchive", .post, "/v1/import/archive", .home,
                "Import the lines of an archive: messages, and details of conversations",
                takes: [
                    ImportOperation.device, ImportOperation.placeholderText, ImportOperation.force,
                    ImportOperation.archiveAccount.required,
                ], body: .lines(.of(Either<NewMessage, StateFields>.self)), answer: imported),
        ]
    ) { call in try ImportOperation(call) }

    private static let imported = Answer.done(Imported.self) { counts in
        var text =
            "\(Wording.count(counts.lines, "line")): \(Wording.grouped(counts.added)) new, "
            + "\(Wording.grouped(counts.known)) already here"
        let others = [
            (counts.completed, "completed"),
            (counts.placeholders, counts.placeholders == 1 ? "placeholder" : "placeholders"),
            (counts.skipped, "skipped"), (counts.refused, "refused"),
        ]
        for (count, word) in others where count > 0 { text += ", \(Wording.grouped(count)) \(word)" }
        return text + (counts.states > 0 ? "; \(Wording.count(counts.states, "line")) about conversations" : "")
    }

    static let export: Command = {
        let archive = Parameter.text(
            "--archive", .text("FILE"),
            "write the whole account to one compressed file with checksums, not encrypted")
        let state = Parameter.flag(
            "--state", "append lines with titles, flags, read positions and deletions, as in an archive")
        return Command(
            "export", "Export all messages to standard output, one JSON object a line, or an account to an archive",
            examples: ["> chat.jsonl", "--archive chat.kachat"], takes: [account, archive, state, force],
            at: [
                Endpoint(
                    "exportChat", .get, "/v1/export", .scope(.chatRead), "Export all messages, one a line", takes: [],
                    answer: .lines(of: NewMessage.self)),
                Endpoint(
                    "exportState", .get, "/v1/export/state", .owner,
                    "Export all messages, then read positions, details of conversations and deletions", takes: [],
                    fixed: [(state, "")],
                    answer: .lines(of: Either<NewMessage, StateFields>.self)),
                Endpoint(
                    "exportArchive", .get, "/v1/export/archive", .home, "Export the lines of an archive", takes: [],
                    fixed: [(archive, "-")], answer: .lines(of: Either<NewMessage, StateFields>.self)),
            ]
        ) { call in
            try ExportOperation(account: call.account, isArchive: call.has(archive), hasStates: call.has(state))
        }
    }()

    static let backup: Command = {
        let folder = Parameter.text("FOLDER", .text("DIR"), "a private folder of this user")
        return Command(
            "backup", "Copy the whole home into one file, while the node runs",
            examples: ["/media/stick/phone.backup", "--without-keys phone.backup"],
            takes: [file, Parameter.flag("--without-keys", "leave out the keys: a restore needs the phrases"), force],
            hidden: [folder], on: .node,
            at: [
                Endpoint(
                    "copyStores", .post, "/v1/backup/copies", .home,
                    "Copy the stores of all accounts and their groups into a folder", takes: [folder],
                    answer: .lines(of: CopiedStore.self)),
                Endpoint(
                    "downloadBackup", .get, "/v1/backup", .owner, "Download a backup with the keys, a piece a line",
                    takes: [], answer: .lines(of: BackupPiece.self)),
            ]
        ) { call in
            guard let folder = call[folder] else { return try BackupDownload(node: call.node) }
            return try BackupOperation(node: call.node, folder: folder)
        }
    }()

    static let flush = Command(
        "flush", "Archive waiting messages now, so that the other devices get them", takes: [account],
        at: Endpoint(
            "flush", .post, "/v1/flush", .scope(.chatWrite),
            answer: .done(Flushed.self) { "\(Wording.count($0.segments, "segment")) written." }),
        begin: changing { call, now in
            let zone = try call.account.zone
            let segments = try zone.cut(force: true, now: now)
            try zone.reads.publishReads()
            return Flushed { $0.segments = segments }
        })

    static let scrub = Command(
        "scrub", "Check every stored byte of an account and its groups; what is damaged is fetched again from a peer",
        takes: [account],
        at: Endpoint(
            "scrub", .post, "/v1/scrub", .scope(.admin),
            answer: .done(Scrubbed.self) { found in
                let seen = "\(Wording.count(found.rows, "record")) and \(Wording.count(found.blobs, "blob")) read"
                return "\(seen): \(found.damage ?? "all good")."
            })
    ) { call in
        let account = try call.account
        let stores = [account.zone.store] + account.groups.filter { $0.fault == nil }.map(\.replicated.store)
        // What cannot be written cannot be mended.
        let left =
            account.groups.compactMap { group in group.fault.map { (group.title, $0) } }
            + account.unopenedGroups.map { ($0.membership.title, $0.error) }
        var next = 0
        var cursor = ZoneStore.ScrubCursor()
        var found = Scrubbed()
        // Damaged data is marked as missing and comes back from a peer.
        return SteppedOperation(changesData: true) { reply, _ in
            if try stores[next].scrub(&cursor) { return .again }
            found.add(cursor.report)
            cursor = ZoneStore.ScrubCursor()
            next += 1
            guard next == stores.count else { return .again }
            reply.data(found)
            if let (title, fault) = left.first {
                reply.end(
                    NodeError(
                        fault.code, "group \(Terminal.harmless(title)) was not checked: \(fault.sentence.fact)"))
            }
            return .done
        }
    }
}

extension Scrubbed {
    /// The damage found, and what becomes of it; nil if there is none.
    fileprivate var damage: String? {
        var parts: [String] = []
        if damagedRows > 0 { parts.append("\(Wording.count(damagedRows, "record")) damaged") }
        if damagedBlobs > 0 { parts.append("\(Wording.count(damagedBlobs, "blob")) damaged") }
        if lanesDiffering > 0 { parts.append("lanes that differ: \(lanesDiffering)") }
        if !parts.isEmpty { parts = [parts.joined(separator: ", ") + "; the other devices supply what is missing"] }
        if damagedIndexes > 0 { parts.append("damaged indexes rebuilt: \(damagedIndexes)") }
        if lostMessages > 0 { parts.append("\(Wording.count(lostMessages, "queued message")) lost") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    fileprivate mutating func add(_ report: ZoneStore.ScrubReport) {
        rows += report.rows
        blobs += report.blobs
        damagedRows += report.damagedRows
        damagedBlobs += report.damagedBlobs
        lanesDiffering += report.lanesDiffering
        damagedIndexes += report.damagedIndexes
        lostMessages += report.lostMessages
    }
}
