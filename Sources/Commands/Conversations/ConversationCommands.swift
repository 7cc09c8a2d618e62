import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `conversation …` and `read …`
extension Command {
    static let conversations: [Command] = [
        conversationList, conversationDelete, conversationRestore, conversationShow, conversationSet, readMark,
        readLeave, readImport,
    ]

    private static let conversation = Parameter.text(
        "CONVERSATION", .conversation("CONVERSATION"), "its id")

    static let conversationList = Command(
        "conversation list", "List the conversations, with counts and read positions",
        examples: ["", "--json"], takes: [account],
        at: Endpoint(
            "conversations", .get, "/v1/conversations", .scope(.chatRead),
            "List the conversations, the one with the newest message first",
            answer: .list(of: Conversation.self, as: ConversationText.list))
    ) { call in
        let (account, node) = (try call.account, call.node)
        return ListOperation {
            let (list, gaps) = (ConversationList(account.zone.chat), try ConversationGaps(account, of: node))
            let places = try list.places(missing: gaps.newest)
            return ListRows(count: places.count) { row in
                if let summary = try list.conversation(at: places[row]) { return Conversation(summary, gaps) }
                let name = places[row].name
                return gaps[name] == nil ? nil : Conversation(absent: try account.zone.chat.details(name), gaps)
            }
        }
    }

    static let conversationDelete = Command(
        "conversation delete", "Delete a conversation's messages on all devices; a new message reopens it",
        examples: ["alice", "alice --yes"], takes: [conversation, account, yes],
        asks: """
            This deletes the conversation's present messages on all your devices. For seven days `conversation restore`
            brings them back. Then the devices that archived them rewrite their segments without the bodies; if such a
            device no longer exists, the bodies stay in the archive, sealed.
            """,
        at: Endpoint(
            "deleteConversation", .delete, "/v1/conversations/{conversation}", .scope(.chatWrite),
            takes: [conversation],
            answer: .done(DeletedConversation.self) { deletion in
                "\(Wording.count(deletion.result.messages, "message")) deleted here; your other devices follow when "
                    + "they sync." + deletion.result.rest(isOneMessage: false)
            }),
        begin: changing { call, _ in
            let (zone, conversation) = (try call.account.zone, try call.need(conversation))
            let report = try zone.deletions.delete(conversation: conversation, wall: call.clock.wall())
            let result = try DeleteResult(report, in: zone)
            return DeletedConversation { ($0.conversationId, $0.result) = (conversation, result) }
        })

    static let conversationRestore = Command(
        "conversation restore", "Restore a deleted conversation's messages on all devices",
        examples: ["alice"], takes: [conversation, account],
        at: Endpoint(
            "restoreConversation", .post, "/v1/conversations/{conversation}/restore", .scope(.chatWrite),
            takes: [conversation],
            answer: .done(RestoredConversation.self) { restored in
                "\(Wording.count(restored.messages, "message")) restored; your other devices follow when they sync."
            }),
        begin: changing { call, _ in
            let (deletions, conversation) = (try call.account.zone.deletions, try call.need(conversation))
            guard let messages = try deletions.restore(conversation: conversation, wall: call.clock.wall()) else {
                throw NodeError(
                    .notFound, "this conversation is not deleted\(advice: "; see `kachat-node message deleted`")")
            }
            return RestoredConversation { ($0.conversationId, $0.messages) = (conversation, messages) }
        })

    static let conversationShow = Command(
        "conversation show", "Show a conversation: counts, title, participants, flags",
        examples: ["alice"], takes: [conversation, account],
        at: Endpoint(
            "conversation", .get, "/v1/conversations/{conversation}", .scope(.chatRead),
            answer: .object(ConversationInFull.self, shows: ConversationText.inFull)),
        begin: reading { call in
            let (account, conversation) = (try call.account, try call.need(conversation))
            let (chat, gaps) = (account.zone.chat, try ConversationGaps(account, of: call.node))
            if let summary = try chat.conversation(conversation) { return ConversationInFull(summary, gaps) }
            guard gaps[conversation] != nil else { throw ChatError.unknownConversation }
            return ConversationInFull(absent: try chat.details(conversation), gaps)
        })

    static let conversationSet = Command(
        "conversation set", "Set the title, participants or flags of a conversation on all devices",
        examples: [
            "alice --title Alice --pinned on", "alice --participant kaspa:qq…=Alice --participant kaspa:qp…=Bob",
            "alice --unread on",
        ],
        takes: [
            conversation, account, ConversationSetting.title, ConversationSetting.noTitle,
            ConversationSetting.participants, ConversationSetting.pinned, ConversationSetting.muted,
            ConversationSetting.archived, ConversationSetting.unread, ConversationSetting.checkpoint,
        ],
        at: Endpoint(
            "setConversation", .patch, "/v1/conversations/{conversation}", .scope(.chatWrite),
            takes: [conversation] + ConversationSetting.requested, body: .someFields,
            answer: .done(ConversationChanged.self) {
                $0.changed ? "Set here; your other devices follow when they sync." : "Nothing to change."
            }),
        begin: changing { call, _ in
            let (details, conversation) = (try call.account.zone.details, try call.need(conversation))
            let changes = try ConversationSetting.changes(call)
            let isNew = try details.change(conversation, changes, wall: call.clock.wall())
            return ConversationChanged { ($0.conversationId, $0.changed) = (conversation, isNew) }
        })

    // MARK: Read positions

    static let readMark: Command = {
        let txid = Parameter.txid("--txid", "up to this message")
        return Command(
            "read mark", "Mark a conversation as read, up to its newest message or a given one",
            examples: ["alice", "alice --txid TXID"], takes: [conversation, account, txid],
            at: Endpoint(
                "markRead", .post, "/v1/conversations/{conversation}/read", .scope(.chatWrite),
                answer: .done(MarkResult.self) { mark in
                    let isNew = mark.advanced || mark.cleared
                    return "\(isNew ? "Marked" : "Nothing new to mark"); \(Wording.grouped(mark.unread)) unread."
                }),
            begin: changing { call, now in
                let (zone, conversation) = (try call.account.zone, try call.need(conversation))
                return try MarkResult {
                    $0.conversationId = conversation
                    $0.cleared = try zone.chat.details(conversation).isMarkedUnread?.value == true
                    $0.advanced = try zone.reads.markRead(
                        conversation, upTo: call[txid], now: now, wall: call.clock.wall())
                    $0.unread = try zone.chat.conversation(conversation)?.unread ?? 0
                }
            })
    }()

    static let readLeave = Command(
        "read leave", "Send a conversation's read position to the other devices now, when you leave it",
        examples: ["alice"], takes: [conversation, account],
        at: Endpoint(
            "leaveConversation", .post, "/v1/conversations/{conversation}/leave", .scope(.chatWrite),
            answer: .done(LeftConversation.self) { _ in "The read position is sent to your other devices." }),
        begin: changing { call, _ in
            let (zone, conversation) = (try call.account.zone, try call.need(conversation))
            guard try zone.chat.hasConversation(conversation) else { throw ChatError.unknownConversation }
            try zone.reads.leave(conversation)
            return LeftConversation { $0.conversationId = conversation }
        })

    static let readImport = Command(
        "read import", "Import an old app's read positions, one JSON object a line (safe to run again)",
        examples: ["reads.jsonl"], takes: [file, account],
        at: Endpoint(
            "importReads", .post, "/v1/reads/import", .scope(.chatWrite),
            "Import an old app's read positions, one conversation a line", takes: [], body: .lines(.of(ReadLine.self)),
            answer: .done(ImportedReads.self) { reads in
                "\(Wording.count(reads.lines, "line")): "
                    + "\(Wording.count(reads.advanced, "conversation")) read further."
            })
    ) { call in
        let reads = try call.account.zone.reads
        var advanced = 0
        return LineImport(call) { bytes, now in
            let line = try ReadLine(json: bytes)
            let isNew = try reads.adoptRead(
                line.conversationId, blockTime: UInt64(line.lastReadBlockTime), now: now, wall: call.clock.wall())
            if isNew { advanced += 1 }
        } finish: {
            // The end of an import is a stable point.
            try reads.publishReads()
        } counts: { lines, refused in
            ImportedReads { ($0.lines, $0.advanced, $0.refused) = (lines, advanced, refused) }
        }
    }
}

enum ConversationText {
    static let list = ListColumns<Conversation>(
        whenEmpty: "No conversations yet.",
        [
            .text("CONVERSATION", .shortened(to: 10)) { $0.title ?? $0.conversationId },
            .number("MESSAGES") { $0.messages }, .number("UNREAD") { $0.unread > 0 ? $0.unread : nil },
            .time("NEWEST (UTC)") { newest($0) },
            // Commands take the id.
            .text("ID", .wrapped(at: 8)) { $0.title == nil ? nil : $0.conversationId },
            .text("NOTES", .wrapped(at: 10)) { notes($0) },
        ])

    /// The time of the newest message; of a conversation that is not here at all, when the newest missing one was sent.
    private static func newest(_ conversation: Conversation) -> Int? {
        conversation.lastBlockTime
            ?? conversation.lastSenderTs.map { Int(Int64($0).multipliedClamped(by: 1_000)) } ?? conversation.gap?.to
    }

    private static func notes(_ conversation: Conversation) -> String {
        let (missed, missing) = (conversation.placeholders, conversation.missing)
        return [
            (conversation.pinned, "pinned"), (conversation.muted, "muted"), (conversation.archived, "archived"),
            (conversation.markedUnread, "marked unread"), (missed > 0, "\(missed) not here yet"),
            (missing > 0, "\(missing) missing here"),
        ].filter(\.0).map(\.1).joined(separator: ", ")
    }

    @Sendable static func inFull(_ conversation: ConversationInFull, _ output: Output) {
        let summary = conversation.conversation
        let notes = notes(summary)
        let with = summary.participants.map { part in part.name.map { "\($0) (\(part.address))" } ?? part.address }
        output.facts([
            ("conversation", summary.conversationId), ("title", summary.title), ("contact", summary.contact),
            ("with", with.isEmpty ? nil : with.joined(separator: ", ")),
            ("messages", Wording.grouped(summary.messages)), ("unread", Wording.grouped(summary.unread)),
            ("newest", Wording.time(newest(summary))), ("read up to", Wording.time(summary.lastReadBlockTime)),
            ("notes", notes.isEmpty ? nil : notes),
        ])
    }
}
