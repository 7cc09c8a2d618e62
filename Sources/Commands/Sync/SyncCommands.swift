import Chat
import Node
import NodeCore
import NodeModel
import Transport

/// What makes the node go on, and what tells that something changed.
extension Command {
    static let syncing: [Command] = [sync, background, foreground, changes, events]

    static let sync = Command(
        "sync", "Ask all peers now",
        examples: ["kachat-node sync --now", "kachat-node sync --wait --timeout 30"],
        takes: [account, SyncOperation.now, SyncOperation.wait, SyncOperation.timeout], on: .node,
        needsRunningNode: true,
        at: [
            Endpoint(
                "sync", .post, "/v1/sync", .scope(.chatWrite), "Ask all peers now",
                takes: [
                    SyncOperation.now, SyncOperation.wait,
                    SyncOperation.timeout.requested(
                        .value(.seconds(upTo: Limits.apiWaitSeconds)), help: "seconds after which waiting is given up"),
                ], answer: .done(SyncResult.self) { $0.words })
        ]
    ) { call throws(NodeError) in try SyncOperation(call) }

    static let background = Command(
        "background", "Hand over what is new, then close all sessions and sockets and let go of the databases",
        examples: ["kachat-node background"], on: .node, needsRunningNode: true,
        at: [
            Endpoint(
                "background", .post, "/v1/background", .scope(.admin),
                "Hand over what is new, then close all sessions and let go of the databases",
                answer: .done(BackgroundResult.self) { _ in
                    "In the background: nothing is sent or fetched until `foreground`."
                })
        ]
    ) { call throws(NodeError) in BackgroundOperation(network: try call.network) }

    static let foreground = Command(
        "foreground", "Listen and beacon again after `background`, and ask all peers now",
        examples: ["kachat-node foreground"], on: .node, needsRunningNode: true,
        at: [
            Endpoint(
                "foreground", .post, "/v1/foreground", .scope(.admin), "Listen and beacon again, and ask all peers",
                answer: .done(Foreground.self) { _ in "In the foreground: the devices in reach are asked." })
        ]
    ) { call throws(NodeError) in
        let network = try call.network
        return ImmediateOperation { reply, now in
            try network.enterForeground(now: now)
            var answer = Foreground()
            answer.listen = network.listeners.address?.description
            reply.data(answer)
        }
    }

    package static let changes: Command = {
        let since = ChangesOperation.since.requested(
            .pattern("^(now|0|[0-9a-fA-F]{36})$"),
            help: "a token that was shown, `now` for what comes from now on, or 0 for the oldest kept")
        return Command(
            "changes", "Tell what changed, one line each, from a token on: for apps that keep up",
            examples: [
                "kachat-node changes --since now",
                "kachat-node changes --since TOKEN --wait 60 --limit 500",
                "kachat-node changes --follow",
            ],
            takes: [
                account, ChangesOperation.since, ChangesOperation.wait, ChangesOperation.limit, ChangesOperation.follow,
            ],
            at: [
                Endpoint(
                    "changes", .get, "/v1/changes", .feed, "What changed behind a token",
                    takes: [
                        since,
                        ChangesOperation.limit.requested(
                            .value(Endpoint.pageLimit), standard: "500", help: "at most so many"),
                        ChangesOperation.wait.requested(
                            .value(.seconds(upTo: Limits.apiWaitSeconds)),
                            help: "where there is nothing, wait up to so many seconds for it"),
                    ], answer: .list(of: NodeModel.Change.self, next: .token)),
                Endpoint(
                    "events", .get, "/v1/events", .feed,
                    "What changes, as server-sent events; the id of each is its token", takes: [since],
                    fixed: [(ChangesOperation.follow, "")], answer: .events(of: NodeModel.Change.self)),
                Endpoint(
                    "followChanges", .get, "/v1/changes/follow", .home, "So many changes, as they come, one a line",
                    takes: [ChangesOperation.since, ChangesOperation.limit], fixed: [(ChangesOperation.follow, "")],
                    answer: .lines(of: NodeModel.Change.self)),
            ]
        ) { call throws(NodeError) in try ChangesOperation(call) }
    }()

    static let events = Command(
        "events", "Tell what is worth a notification: messages, what friends post, who overtakes you, streaks",
        examples: [
            "kachat-node events --follow",
            "kachat-node events --follow --exec 'notify-send KaChat \"$EVENT_TEXT\"'",
            "kachat-node events --follow --kind message --json",
        ],
        takes: [
            account, EventsOperation.kinds, EventsOperation.since, EventsOperation.limit, EventsOperation.follow,
            Parameter.text(
                "--exec", .text("COMMAND"),
                "run this by the shell for each, with EVENT_KIND, EVENT_TEXT, EVENT_JSON in its environment"),
        ],
        at: [
            Endpoint(
                "notices", .get, "/v1/notices", .home, "What is worth a notification, one a line",
                takes: [
                    EventsOperation.kinds.requested(.words, help: "only these: message, score, overtaken, streak"),
                    EventsOperation.since, EventsOperation.limit,
                    EventsOperation.follow.requested(help: "go on without an end"),
                ],
                answer: .lines(of: Notice.self) { notice, output in output.line(Terminal.harmless(notice.text)) })
        ]
    ) { call throws(NodeError) in try EventsOperation(call) }
}

extension SyncResult {
    /// With whom it was.
    var words: String {
        guard peers > 0 else { return "No device of the account is in reach." }
        let devices = Wording.count(peers, "device")
        return caughtUp ? "Caught up with \(devices) in reach." : "Asked \(devices) in reach."
    }
}
