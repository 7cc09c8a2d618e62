import Chat
import Node
import NodeCore
import NodeModel
import Transport

/// Sync now, background and foreground, and feeds of changes.
extension Command {
    static let syncing: [Command] = [sync, background, foreground, changes, notices]

    static let sync = Command(
        "sync", "Sync the accounts and their groups now", examples: ["--now", "--wait --timeout 30"],
        takes: [account, SyncOperation.now, SyncOperation.wait, SyncOperation.timeout], on: .node,
        needsRunningNode: true,
        at: Endpoint(
            "sync", .post, "/v1/sync", .either(.chatWrite, .groupsWrite),
            takes: [
                SyncOperation.now, SyncOperation.wait,
                SyncOperation.timeout.requested(
                    help: "with `wait`, answer after that many seconds at the latest (default: 120)"),
            ], answer: .done(SyncResult.self) { $0.words })
    ) { call in try SyncOperation(call) }

    static let background = Command(
        "background", "Hand over new data, then close all sessions and sockets and release the databases",
        on: .node, needsRunningNode: true,
        at: Endpoint(
            "background", .post, "/v1/background", .scope(.admin),
            answer: .done(BackgroundResult.self) { _ in
                "In the background: nothing is sent or fetched until `foreground`."
            })
    ) { call in BackgroundOperation(network: try call.network) }

    static let foreground = Command(
        "foreground", "End `background`: listen, announce the node and sync now", on: .node, needsRunningNode: true,
        at: Endpoint(
            "foreground", .post, "/v1/foreground", .scope(.admin),
            answer: .done(Foreground.self) { _ in "In the foreground: syncing with the devices in reach." })
    ) { call in
        atOnce { reply, now in
            let network = try call.network
            try network.enterForeground(now: now)
            reply.data(Foreground { $0.listen = network.listeners.address?.description })
        }
    }

    package static let changes = Command(
        "changes", "List changes after a token, one a line, for apps that stay up to date",
        examples: ["--since now", "--since TOKEN --wait 60 --limit 500", "--follow"],
        takes: [
            account, ChangesOperation.since, ChangesOperation.wait, ChangesOperation.limit, ChangesOperation.follow,
        ],
        at: [
            Endpoint(
                "changes", .get, "/v1/changes", .feed, "List changes after a token",
                takes: [
                    ChangesOperation.requestedSince,
                    ChangesOperation.limit.requested(
                        .value(Endpoint.pageLimit), standard: "500", help: "maximum number (default: 500)"),
                    ChangesOperation.wait,
                ], answer: .list(of: NodeModel.Change.self, by: .feed)),
            Endpoint(
                "events", .get, "/v1/events", .feed,
                "Stream changes as server-sent events; the id of each is its token",
                takes: [ChangesOperation.requestedSince], fixed: [(ChangesOperation.follow, "")],
                answer: .events(of: NodeModel.Change.self)),
            Endpoint(
                "followChanges", .get, "/v1/changes/follow", .home, "Stream changes, one a line",
                takes: [ChangesOperation.since, ChangesOperation.limit], fixed: [(ChangesOperation.follow, "")],
                answer: .lines(of: NodeModel.Change.self)),
        ]
    ) { call in try ChangesOperation(call) }

    static let notices = Command(
        "notices", "List what is worth a notification: messages, posts of friends, who overtakes you, streaks",
        formerly: "events",
        examples: [
            "--follow", "--follow --exec 'notify-send KaChat \"$NOTICE_TEXT\"'", "--follow --kind message --json",
        ],
        takes: [
            account, NoticesOperation.kinds, NoticesOperation.since, NoticesOperation.limit, NoticesOperation.follow,
            Parameter.text(
                "--exec", .text("COMMAND"),
                "run this shell command for each, with NOTICE_KIND, NOTICE_TEXT and NOTICE_JSON in its environment"),
        ],
        hidden: [NoticesOperation.placeFirst],
        at: [
            Endpoint(
                "notices", .get, "/v1/notices", .owner, "List what is worth a notification, one a line",
                takes: [
                    NoticesOperation.requestedKinds, NoticesOperation.since, NoticesOperation.limit,
                    NoticesOperation.follow,
                ],
                answer: .lines(of: Notice.self) { notice, output in output.line(Terminal.harmless(notice.text)) }),
            Endpoint(
                "noticeStream", .get, "/v1/notices/stream", .feed,
                "Stream what is worth a notification as server-sent events; the id of each is a token of the feed",
                takes: [NoticesOperation.requestedKinds, ChangesOperation.requestedSince],
                fixed: [(NoticesOperation.follow, ""), (NoticesOperation.placeFirst, "")],
                answer: .events(of: Notice.self)),
        ]
    ) { call in try NoticesOperation(call) }
}

extension SyncResult {
    var words: String {
        let devices: String
        switch (peers, groupPeers) {
        case (0, 0): return "No device of the account is in reach."
        case (_, 0): devices = Wording.count(peers, "device")
        case (0, _): devices = Wording.count(groupPeers, "device") + " of group members"
        default: devices = Wording.count(peers, "device") + " and \(Wording.grouped(groupPeers)) of group members"
        }
        guard caughtUp else { return "Asked \(devices) in reach." }
        // A user without another device knows that everything is only here.
        let isSaid = verdict == .upToDate || peers == 0
        return "Caught up with \(devices) in reach" + (isSaid ? "." : ": \(verdict.title).")
    }
}
