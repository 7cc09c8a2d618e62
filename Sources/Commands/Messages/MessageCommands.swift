import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `message …`
extension Command {
    static let messages: [Command] = [
        messageList, messageShow, messageAdd, messageConfirm, messageReorg, messageDelete, messageRestore,
        messageDeleted, messageHint, messageSearch,
    ]

    // MARK: Lists

    static let messageList = Command(
        "message list", "List the messages of a conversation, newest first",
        examples: ["alice", "alice --limit 50 --before CURSOR", "alice --until 2026-03-31", "--placeholders"],
        takes: [
            MessageList.conversation, account, MessageList.placeholders, MessageList.limit, MessageList.before,
            MessageList.until,
        ],
        at: [
            Endpoint(
                "messages", .get, "/v1/messages", .scope(.chatRead),
                takes: [MessageList.conversation.required, MessageList.limit, MessageList.before, MessageList.until],
                answer: .list(of: Message.self, by: .keyed, as: MessageText.list)),
            Endpoint(
                "placeholders", .get, "/v1/placeholders", .scope(.chatRead),
                "List messages without their bodies yet, of one conversation or of all",
                takes: [MessageList.conversation, MessageList.limit, MessageList.before],
                fixed: [(MessageList.placeholders, "")],
                answer: .list(of: Message.self, by: .keyed, as: MessageText.list)),
        ]
    ) { call in try MessageListOperation(call) }

    static let messageSearch = Command(
        "message search", "Find messages that contain all the words, newest first",
        examples: [
            "coffee tomorrow", "'\"coffee tomorrow\"' --from 2026-01-01 --to 2026-03-31",
            "coffee --conversation alice --limit 5",
        ],
        takes: [
            MessageSearching.words, account, MessageSearching.conversation, MessageSearching.from, MessageSearching.to,
            MessageSearching.limit,
        ],
        hidden: [Call.pageCursor],
        at: [
            Endpoint(
                "search", .get, "/v1/search", .scope(.chatRead),
                takes: [
                    MessageSearching.words, MessageSearching.conversation, MessageSearching.from, MessageSearching.to,
                    MessageSearching.limit, Call.pageCursor,
                ], answer: .list(of: Message.self, as: MessageText.hits))
        ]
    ) { call in try MessageSearchOperation(call) }

    // MARK: One message

    private static let txid = Parameter.txid("TXID", "64 hexadecimal digits")

    static let messageShow = Command(
        "message show", "Show one message", examples: ["TXID"], takes: [txid, account],
        at: Endpoint(
            "message", .get, "/v1/messages/{txid}", .scope(.chatRead),
            answer: .object(Message.self, shows: MessageText.inFull)),
        begin: reading { call in
            let (account, txid) = (try call.account, try call.need(txid))
            if let message = try account.zone.chat.message(txid) { return try Message(inFull: message, account.zone) }
            guard let stub = try account.zone.chat.stub(txid) else {
                guard try account.zone.chat.isDeleted(txid) else { throw noMessage(txid) }
                let list = call.node.command("message deleted", for: account)
                throw missing("message \(txid.hex) was deleted\(advice: "; \(list) shows what can be restored")")
            }
            return Message(stub, waiting: StubWait(stub.txid, account, call.node))
        })

    /// There is no message of the given txid, or none for this.
    private static func missing(_ sentence: Sentence) -> NodeError {
        NodeError(.notFound, sentence).blaming(txid.spec.name)
    }

    private static func noMessage(_ txid: TxID) -> NodeError { missing("there is no message \(txid.hex)") }

    static let messageAdd = Command(
        "message add", "Add one message: a JSON object on standard input, as in `import`",
        examples: ["< message.json"], takes: [account],
        at: [
            Endpoint(
                "addMessage", .post, "/v1/messages", .scope(.chatWrite), "Add a message", body: .message,
                answer: added),
            Endpoint(
                "putMessage", .put, "/v1/messages/{txid}", .scope(.chatWrite),
                "Add a message under its txid (safe to repeat)", body: .message, answer: added),
        ]
    ) { call in
        let account = try call.account
        return DocumentOperation("the message") { bytes, now in
            do {
                return try add(try NewMessage(json: bytes), to: account, call.node, now)
            } catch let error as FieldError {
                let colon = error.reason == nil ? "" : ":"
                throw NodeError(.badInput, "the message\(colon) \(sentence: Sentence(error))")
            }
        }
    }

    private static func add(
        _ message: NewMessage, to account: NodeAccount, _ node: LocalNode, _ now: MonotonicTime
    ) throws -> Added {
        let result: AddResult
        if message.isPlaceholder(PlaceholderText(node.settings.placeholderText)) {
            let outcome = try account.zone.hint(try Stub(message, hintedAt: node.clock.wall()))
            result = outcome == .new ? .hinted : .known
        } else {
            result = AddResult(try account.zone.accept(try ChatMessage(message), now: now))
            try account.zone.cut(force: false, now: now)
        }
        return Added { ($0.txid, $0.result) = (message.txid.lowercased(), result) }
    }

    private static let added = Answer.done(Added.self) { added in
        switch added.result {
        case .known, .held: "This message is already here."
        case .deleted: "This message is deleted, and stays deleted until `message restore`."
        case .hinted: "The message has no body; the other devices are asked for it."
        case .new, .completed: "Accepted."
        }
    }

    static let messageDelete = Command(
        "message delete", "Delete a message on all devices; it can be restored for seven days",
        examples: ["TXID", "TXID --yes"], takes: [txid, account, yes],
        asks: """
            This deletes the message here at once, and on your other devices when they sync. For seven days `message
            restore` brings it back; then the devices that archived it remove its body.
            """,
        at: Endpoint(
            "deleteMessage", .delete, "/v1/messages/{txid}", .scope(.chatWrite), takes: [txid],
            answer: .done(DeletedMessage.self) { deletion in
                let done =
                    deletion.wasDeleted
                    ? "It was already deleted." : "Deleted here; your other devices follow when they sync."
                return done + deletion.counts.rest(isOneMessage: true)
            }),
        begin: changing { call, _ in
            let (zone, txid) = (try call.account.zone, try call.need(txid))
            let isDeleted = try zone.chat.isDeleted(txid)
            guard try isDeleted || zone.chat.message(txid) != nil || zone.chat.stub(txid) != nil else {
                throw noMessage(txid)
            }
            let report = try zone.deletions.delete(message: txid, wall: call.clock.wall())
            let counts = try DeleteResult(report, in: zone)
            return DeletedMessage { ($0.txid, $0.wasDeleted, $0.counts) = (txid.hex, isDeleted, counts) }
        })

    static let messageRestore = Command(
        "message restore", "Restore a deleted message on all devices", examples: ["TXID"], takes: [txid, account],
        at: Endpoint(
            "restoreMessage", .post, "/v1/messages/{txid}/restore", .scope(.chatWrite), takes: [txid],
            answer: .done(RestoredMessage.self) { restored in
                restored.result == .known
                    ? "Nothing came back: it was not deleted, its conversation is, or it is not on this device."
                    : "Restored here; your other devices follow when they sync."
            }),
        begin: changing { call, _ in
            let (zone, txid) = (try call.account.zone, try call.need(txid))
            let isUndone = try zone.deletions.restore(message: txid, wall: call.clock.wall())
            let isHere = try zone.chat.message(txid) != nil
            guard isUndone || isHere else {
                throw missing(
                    """
                    message \(txid.hex) cannot be restored\(advice: "; see `kachat-node message deleted`")
                    """)
            }
            return RestoredMessage { ($0.txid, $0.result) = (txid.hex, isUndone && isHere ? .restored : .known) }
        })

    static let messageDeleted = Command(
        "message deleted", "List deleted messages and conversations that can be restored, the latest first",
        examples: ["", "--json"], takes: [account],
        at: Endpoint(
            "deleted", .get, "/v1/deleted", .scope(.chatRead),
            answer: .list(of: Deleted.self, as: MessageText.deleted)),
        begin: listing { call in
            try call.account.zone.deletions.recentlyDeleted().map { Deleted($0, wall: call.clock.wall()) }
        })

    // MARK: Hints and chain events

    static let messageHint: Command = {
        let txid = Parameter.txid("--txid", "the message").required.placed("TXID")
        let conversation = Parameter.text("--conversation", .conversation("C"), "its conversation, if known")
        let direction = Parameter.choice(
            "--direction", "sent|received", ["sent", "received"], "its direction (default: sent)")
        return Command(
            "message hint", "Report a message without its body; the other devices are asked for it at once",
            examples: ["TXID", "TXID --conversation alice --direction received"],
            takes: [txid, account, conversation, direction],
            at: Endpoint(
                "hintMessage", .post, "/v1/messages/{txid}/hint", .scope(.chatWrite),
                answer: .done(Hinted.self) { hinted in
                    if hinted.result == .deleted { return "This message was deleted, and stays deleted." }
                    return hinted.waitingFor.map { "Noted: \($0)." } ?? "This message is already here."
                }),
            begin: changing { call, _ in
                // A push names no account that could be checked, and a wrong guess would search for the message for
                // ever.
                let names = call.node.names
                guard call.has(account) || names.entries.count < 2 else {
                    throw NodeError(
                        .usage,
                        "this node has several accounts, name one with \(parameter: account.spec.name): \(names.list)")
                }
                let account = try call.account
                let stub = Stub(
                    txid: try call.need(txid), conversationID: call[conversation],
                    direction: call[direction] == "received" ? .received : .sent, hintedAt: call.clock.wall())
                return try hint(stub, account, call.node)
            })
    }()

    private static func hint(_ stub: Stub, _ account: NodeAccount, _ node: LocalNode) throws -> Hinted {
        let chat = account.zone.chat
        let outcome = try account.zone.hint(stub)
        if let held = try chat.stub(stub.txid) {
            return Hinted(
                placeholder: Message(held, waiting: StubWait(held.txid, account, node)), isNew: outcome == .new)
        }
        return try Hinted {
            $0.txid = stub.txid.hex
            $0.result = try chat.isDeleted(stub.txid) ? .deleted : .held
            $0.status = try chat.message(stub.txid)?.message.status.name
        }
    }

    static let messageConfirm = chainCommand(
        .confirm, "message confirm",
        "Mark messages as in a block or accepted: one by its TXID, or many from JSON lines",
        examples: ["TXID --block-time 1790000000000 --score 118000000", "- < events.jsonl"],
        one: ("confirmMessage", "Mark a message as in a block or accepted"),
        many: ("confirmMessages", "Mark many messages as in a block or accepted"))

    static let messageReorg = chainCommand(
        .reorg, "message reorg", "Mark messages as reorganised out of the chain; --score moves one to its new place",
        examples: ["TXID", "- < events.jsonl"],
        one: ("reorgMessage", "Mark a message as reorganised out of the chain"),
        many: ("reorgMessages", "Mark many messages as reorganised out of the chain"))

    private static func chainCommand(
        _ kind: ChainEvent.Kind, _ path: String, _ summary: String, examples: [String],
        one: (id: String, summary: String), many: (id: String, summary: String)
    ) -> Command {
        let word = path.split(separator: " ").last ?? ""
        return Command(
            path, summary, examples: examples,
            takes: [
                ChainEvents.txid, file.optional, account, ChainEvents.blockTime,
                ChainEvents.score, ChainEvents.status,
            ],
            at: [
                Endpoint(
                    one.id, .post, "/v1/messages/{txid}/\(word)", .scope(.chatWrite), one.summary,
                    takes: [ChainEvents.txid, ChainEvents.blockTime, ChainEvents.score, ChainEvents.status],
                    answer: .done(Learned.self) { learned in
                        switch learned.result {
                        case .changed: "Noted; your other devices are told."
                        case .waiting: "Noted until the message arrives."
                        case .known: "Already known."
                        case .deleted: "This message was deleted."
                        }
                    }),
                Endpoint(
                    many.id, .post, "/v1/chain/\(word)", .scope(.chatWrite), many.summary,
                    takes: [], body: .lines(.of(ChainLine.self)),
                    answer: .done(ImportedEvents.self) { events in
                        "\(Wording.count(events.lines, "line")): \(Wording.count(events.changed, "message")) changed, "
                            + "\(Wording.grouped(events.waiting)) not here yet, "
                            + "\(Wording.grouped(events.known)) already known, \(events.refused) refused"
                    }),
            ]
        ) { call in try ChainEvents.operation(kind, call) }
    }
}

extension Deleted {
    fileprivate init(_ deletion: RecentDeletion, wall: WallTime) {
        self.init()
        switch deletion.subject {
        case .message(let txid): self.txid = txid.hex
        case .conversation(let id): conversationId = id
        }
        deletedAt = Int(deletion.at.milliseconds)
        purgeAt = Int((wall + deletion.left).milliseconds)
        guard let copy = deletion.copy else { return }
        conversationId = copy.conversationID
        contact = copy.contact
        direction = copy.direction == .sent ? .sent : .received
        senderTs = Int(copy.senderTimestamp)
        body = copy.body
    }
}

extension DeleteResult {
    init(_ report: DeletionReport, in zone: AccountZone) throws {
        self.init()
        messages = report.messages
        cutAnew = report.cutAnew
        staySealed = report.staySealed
        waitFor = try report.waitFor.map { device in
            let name = try zone.devices.name(of: device.device)
            return Waiting { ($0.deviceId, $0.name, $0.segments) = (device.device.hex, name, device.segments) }
        }
    }

    /// Further sentences about the archived bodies.
    func rest(isOneMessage: Bool) -> String {
        var text = ""
        if cutAnew > 0 {
            text +=
                " In seven days \(Wording.count(cutAnew, "segment")) of this device \(cutAnew == 1 ? "is" : "are") "
                + "rewritten without the " + (cutAnew == 1 && isOneMessage ? "body." : "bodies.")
        }
        if !waitFor.isEmpty {
            let names = waitFor.map { Terminal.harmless($0.name ?? "device \($0.deviceId.prefix(8))") }
                .joined(separator: ", ")
            text += " The bodies leave the archive seven days after the deletion has reached \(names)."
        }
        if staySealed > 0 {
            let they = staySealed == 1 && isOneMessage ? "it stays" : "they stay"
            text += " In \(Wording.count(staySealed, "segment")) \(they), sealed, because the writer is gone."
        }
        return text
    }
}
