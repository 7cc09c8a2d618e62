import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `conversation …` and `read …`
extension Command {
    static let conversations: [Command] = [
        conversationList, conversationDelete, conversationShow, conversationSet, readMark, readLeave, readImport,
    ]

    private static let conversation = Parameter.text("CONVERSATION", .text("CONVERSATION"), "its id")

    static let conversationList = Command(
        "conversation list", "List the conversations, with counts and read positions",
        examples: ["kachat-node conversation list", "kachat-node conversation list --json"], takes: [account],
        at: [
            Endpoint(
                "conversations", .get, "/v1/conversations", .scope(.chatRead),
                "The conversations, the one with the newest message first",
                answer: .list(of: Conversation.self, shows: ConversationText.line))
        ]
    ) { call throws(NodeError) in
        let zone = try call.account.zone
        return listing {
            let missing = try zone.missingMessages()
            return try zone.chat.conversationList().map { Conversation($0, missing: missing) }
        }
    }

    static let conversationDelete: Command = {
        let yes = Parameter.flag("--yes", "do not ask")
        return Command(
            "conversation delete",
            "Delete the messages that a conversation has now, on all devices; a later one opens it anew",
            examples: ["kachat-node conversation delete alice", "kachat-node conversation delete alice --yes"],
            takes: [conversation, account, yes],
            asks: """
                This deletes the messages that the conversation has now, on all devices of the account, for ever.
                The devices that archived them cut their segments anew without the bodies; where such a device does not
                exist any more, the body stays in the archive, sealed.
                """,
            at: [
                Endpoint(
                    "deleteConversation", .delete, "/v1/conversations/{conversation}", .scope(.chatWrite),
                    "Delete the messages that the conversation has now, on all devices", takes: [conversation],
                    answer: .done(DeletedConversation.self) { deletion in
                        "\(Wording.count(deletion.result.messages, "message")) deleted here; other devices of the "
                            + "account follow when they sync." + deletion.result.rest(isOneMessage: false)
                    })
            ]
        ) { call throws(NodeError) in
            let (zone, conversation, clock) = (try call.account.zone, try call.need(conversation), call.clock)
            return changing { _ in
                var deletion = DeletedConversation()
                deletion.conversationId = conversation
                deletion.result = DeleteResult(
                    try zone.deletions.delete(conversation: conversation, wall: clock.wall()))
                return deletion
            }
        }
    }()

    static let conversationShow = Command(
        "conversation show", "Show a conversation: counts, title, participants, flags",
        examples: ["kachat-node conversation show alice"], takes: [conversation, account],
        at: [
            Endpoint(
                "conversation", .get, "/v1/conversations/{conversation}", .scope(.chatRead),
                "A conversation: counts, title, participants, flags", takes: [conversation],
                answer: .object(ConversationInFull.self, shows: ConversationText.inFull))
        ]
    ) { call throws(NodeError) in
        let (zone, conversation) = (try call.account.zone, try call.need(conversation))
        return reading {
            guard let summary = try zone.chat.conversation(conversation) else { throw ChatError.unknownConversation }
            return ConversationInFull(summary, missing: try zone.missingMessages())
        }
    }

    static let conversationSet = Command(
        "conversation set", "Set the title, the participants or the flags of a conversation, everywhere",
        examples: [
            "kachat-node conversation set alice --title Alice --pinned on",
            "kachat-node conversation set alice --participant kaspa:qq…=Alice --participant kaspa:qp…=Bob",
            "kachat-node conversation set alice --unread on",
        ],
        takes: [
            conversation, account, ConversationSetting.title, ConversationSetting.noTitle,
            ConversationSetting.participants, ConversationSetting.pinned, ConversationSetting.muted,
            ConversationSetting.archived, ConversationSetting.unread, ConversationSetting.checkpoint,
        ],
        at: [
            Endpoint(
                "setConversation", .patch, "/v1/conversations/{conversation}", .scope(.chatWrite),
                "Set the title, the participants or the flags, on all devices",
                takes: [conversation] + ConversationSetting.requested, body: .someFields,
                answer: .done(ConversationChanged.self) { $0.changed ? "Set, on all devices." : "It is so already." })
        ]
    ) { call throws(NodeError) in
        let (zone, conversation) = (try call.account.zone, try call.need(conversation))
        return changing { _ in
            var answer = ConversationChanged()
            answer.conversationId = conversation
            answer.changed = try zone.details.change(
                conversation, try ConversationSetting.changes(call), wall: call.clock.wall())
            return answer
        }
    }

    // MARK: What was read

    static let readMark: Command = {
        let txid = Parameter.txid("--txid", "up to this message")
        return Command(
            "read mark", "Mark a conversation as read, up to its newest message or to the given one",
            examples: ["kachat-node read mark alice", "kachat-node read mark alice --txid TXID"],
            takes: [conversation, account, txid],
            at: [
                Endpoint(
                    "markRead", .post, "/v1/conversations/{conversation}/read", .scope(.chatWrite),
                    "Mark as read, up to the newest message or to the given one",
                    takes: [conversation, txid.requested(help: "64 hexadecimal digits")],
                    answer: .done(MarkResult.self) { mark in
                        let isNew = mark.advanced || mark.cleared
                        return "\(isNew ? "Marked" : "Nothing new to mark"); \(Wording.grouped(mark.unread)) unread."
                    })
            ]
        ) { call throws(NodeError) in
            let (zone, conversation) = (try call.account.zone, try call.need(conversation))
            let (txid, clock) = (call[txid], call.clock)
            return changing { now in
                var mark = MarkResult()
                mark.conversationId = conversation
                mark.cleared = try zone.chat.details(conversation).isMarkedUnread?.value == true
                mark.advanced = try zone.reads.markRead(conversation, upTo: txid, now: now, wall: clock.wall())
                mark.unread = try zone.chat.conversation(conversation)?.unread ?? 0
                return mark
            }
        }
    }()

    static let readLeave = Command(
        "read leave", "Say that the conversation was left: its read position goes to the other devices",
        examples: ["kachat-node read leave alice"], takes: [conversation, account],
        at: [
            Endpoint(
                "leaveConversation", .post, "/v1/conversations/{conversation}/leave", .scope(.chatWrite),
                "The conversation was left: its read position goes to the other devices", takes: [conversation],
                answer: .done(LeftConversation.self) { _ in "The read position goes to the other devices." })
        ]
    ) { call throws(NodeError) in
        let (zone, conversation) = (try call.account.zone, try call.need(conversation))
        return changing { _ in
            guard try zone.chat.hasConversation(conversation) else { throw ChatError.unknownConversation }
            try zone.reads.leave(conversation)
            var answer = LeftConversation()
            answer.conversationId = conversation
            return answer
        }
    }

    static let readImport = Command(
        "read import", "Take over an old app's read state, one JSON object a line; again changes nothing",
        examples: ["kachat-node read import reads.jsonl"], takes: [Parameter.text("FILE", .text("FILE")), account],
        at: [
            Endpoint(
                "importReads", .post, "/v1/reads/import", .scope(.chatWrite),
                "Take over an old app's read state, one conversation a line", body: .lines(.of(ReadLine.self)),
                answer: .done(ImportedReads.self) { reads in
                    "\(Wording.count(reads.lines, "line")): "
                        + "\(Wording.count(reads.advanced, "conversation")) read further."
                })
        ]
    ) { call throws(NodeError) in try ReadImportOperation(call) }
}

/// How conversations look on a terminal.
enum ConversationText {
    @Sendable static func line(_ conversation: Conversation, _ output: Output) {
        let newest =
            conversation.lastBlockTime.map(Int64.init)
            ?? conversation.lastSenderTs.map { Int64($0).multipliedClamped(by: 1000) }
        let time = newest.map { CivilTime(milliseconds: $0).text } ?? "-"
        let flags = [
            (conversation.pinned, "pinned"), (conversation.muted, "muted"), (conversation.archived, "archived"),
            (conversation.markedUnread, "unread"),
        ].filter(\.0).map(\.1)
        let (missed, missing) = (conversation.placeholders, conversation.missing)
        let notes =
            flags + (missed > 0 ? ["\(missed) not here yet"] : []) + (missing > 0 ? ["\(missing) missing here"] : [])
        let unread = conversation.unread > 0 ? "\(conversation.unread) new" : ""
        let name = Terminal.harmless(conversation.title ?? conversation.conversationId)
        output.line(
            "\(Output.padded(time, 16))  \(Output.padded("\(conversation.messages)", 7, right: true))  "
                + "\(Output.padded(unread, 9))  \(name)" + (notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))")
        )
    }

    @Sendable static func inFull(_ conversation: ConversationInFull, _ output: Output) {
        output.fields(
            conversation,
            [
                "conversationId", "title", "contact", "participants", "messages", "unread", "placeholders", "missing",
                "markedUnread", "pinned", "muted", "archived", "lastBlockTime", "lastReadBlockTime", "lastReadBy",
            ])
    }
}
