import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// Data that comes in or goes out as a whole, and how it is stored.
extension Command {
    static let data: [Command] = [importing, export, backup, flush, scrub]

    static let importing = Command(
        "import", "Take in messages from lines of JSON or an archive; what is here already is not added twice",
        examples: [
            "kachat-node import chat.jsonl",
            "kachat-node import chat.kachat",
            "kachat-node import chat.jsonl --device phone",
            "zcat chat.jsonl.gz | kachat-node import -",
        ],
        takes: [
            Parameter.text("FILE", .text("FILE")), account, ImportOperation.device, ImportOperation.placeholderText,
            Parameter.flag("--partial", "of a damaged archive the parts that are whole"), ImportOperation.force,
        ],
        hidden: [ImportOperation.archiveAccount],
        at: [
            Endpoint(
                "import", .post, "/v1/import", .scope(.chatWrite),
                "Take in messages, one a line; what is here already is not added twice",
                takes: [ImportOperation.device, ImportOperation.placeholderText], body: .lines(.of(NewMessage.self)),
                answer: imported),
            Endpoint(
                "importArchive", .post, "/v1/import/archive", .home,
                "Take in the lines of an archive: messages, and what is known of the conversations",
                takes: [
                    ImportOperation.device, ImportOperation.placeholderText, ImportOperation.force,
                    ImportOperation.archiveAccount.required,
                ], body: .lines(.of(NewMessage.self)), answer: imported),
        ]
    ) { call throws(NodeError) in try ImportOperation(call) }

    private static let imported = Answer.done(Imported.self) { counts in
        var text =
            "\(Wording.count(counts.lines, "line")): \(Wording.grouped(counts.added)) new, "
            + "\(Wording.grouped(counts.known)) here already"
        let others = [
            (counts.completed, "completed"), (counts.placeholders, "placeholders"), (counts.skipped, "skipped"),
            (counts.refused, "refused"),
        ]
        for (count, word) in others where count > 0 { text += ", \(Wording.grouped(count)) \(word)" }
        return text + (counts.states > 0 ? "; \(Wording.count(counts.states, "line")) about conversations" : "")
    }

    static let export: Command = {
        let archive = Parameter.text(
            "--archive", .text("FILE"),
            "one compressed file with checksums: all of the account, not encrypted")
        let state = Parameter.flag(
            "--state", "behind the messages lines of titles, flags, read positions and deletions, as in an archive")
        return Command(
            "export",
            "Write all messages to standard output, one JSON object a line, or all of an account to an archive",
            examples: ["kachat-node export > chat.jsonl", "kachat-node export --archive chat.kachat"],
            takes: [account, archive, state, Parameter.flag("--force", "replace the file that is there")],
            at: [
                Endpoint(
                    "export", .get, "/v1/export", .scope(.chatRead), "All messages, one a line",
                    answer: .lines(of: NewMessage.self)),
                Endpoint(
                    "exportState", .get, "/v1/export/state", .home,
                    "All messages, and behind them what is known of the conversations", fixed: [(state, "")],
                    answer: .lines(of: NewMessage.self)),
                Endpoint(
                    "exportArchive", .get, "/v1/export/archive", .home, "The lines of an archive",
                    fixed: [(archive, "-")], answer: .lines(of: NewMessage.self)),
            ]
        ) { call throws(NodeError) in
            try ExportOperation(account: call.account, isArchive: call.has(archive), hasStates: call.has(state))
        }
    }()

    static let backup: Command = {
        let folder = Parameter.text("FOLDER", .text("DIR"), "a folder of this user's alone")
        return Command(
            "backup", "Copy the whole home into one file, while the node runs",
            examples: [
                "kachat-node backup /media/stick/phone.backup", "kachat-node backup --without-keys phone.backup",
            ],
            takes: [
                Parameter.text("FILE", .text("FILE")),
                Parameter.flag("--without-keys", "leave the keys out: who restores it needs the phrases"),
                Parameter.flag("--force", "replace the file that is there"),
            ],
            hidden: [folder], on: .node,
            at: [
                Endpoint(
                    "copyStores", .post, "/v1/backup/copies", .home,
                    "Copy the stores of all accounts and their groups into a folder", takes: [folder],
                    answer: .lines(of: CopiedStore.self))
            ]
        ) { call throws(NodeError) in try BackupOperation(node: call.node, folder: call.need(folder)) }
    }()

    static let flush = Command(
        "flush", "Put waiting messages into the archive now, so that the other devices get them",
        examples: ["kachat-node flush"], takes: [account],
        at: [
            Endpoint(
                "flush", .post, "/v1/flush", .scope(.chatWrite),
                "Put waiting messages into the archive now, so that the other devices get them",
                answer: .done(Flushed.self) { "\(Wording.count($0.segments, "segment")) written." })
        ]
    ) { call throws(NodeError) in
        let zone = try call.account.zone
        return changing { now in
            var flushed = Flushed()
            flushed.segments = try zone.cut(force: true, now: now)
            try zone.reads.publishReads()
            return flushed
        }
    }

    static let scrub = Command(
        "scrub", "Read every stored byte again; what is damaged is fetched anew from a peer",
        examples: ["kachat-node scrub"], takes: [account],
        at: [
            Endpoint(
                "scrub", .post, "/v1/scrub", .scope(.admin),
                "Read every stored byte again; what is damaged is fetched anew",
                answer: .done(Scrubbed.self) { found in
                    let seen = "\(Wording.count(found.rows, "record")) and \(Wording.count(found.blobs, "blob")) read"
                    guard found.isDamaged else { return "\(seen): all good." }
                    return "\(seen): \(Wording.count(found.damagedRows, "record")) and "
                        + "\(Wording.count(found.damagedBlobs, "blob")) damaged, lanes that differ: "
                        + "\(found.lanesDiffering); what is missing comes from the other devices."
                })
        ]
    ) { call throws(NodeError) in ScrubOperation(account: try call.account) }
}

extension Scrubbed {
    fileprivate var isDamaged: Bool {
        damagedRows + damagedBlobs + lanesDiffering + damagedIndexes + lostMessages > 0
    }
}
