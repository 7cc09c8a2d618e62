import Node

/// What makes the node go on, and what tells that something changed.
extension APITable {
    private static let since = APIParameter(
        .query, "since", "--since", .pattern("^(now|0|[0-9a-fA-F]{36})$"),
        help: "a token that was shown, `now` for what comes from now on, or 0 for the oldest kept")

    package static let sync: [Endpoint] = [
        Endpoint(
            "sync", .post, "/v1/sync", .scope(.chatWrite), .command("sync"), "Ask all peers now",
            parameters: [
                APIParameter(.body, "wait", "--wait"),
                APIParameter(
                    .body, "timeout", "--timeout", .value(.seconds(upTo: Limits.apiWaitSeconds)),
                    help: "seconds after which waiting is given up"),
            ], body: .fields, answer: .object("Synced")),
        Endpoint(
            "changes", .get, "/v1/changes", .feed, .command("changes"), "What changed behind a token",
            parameters: [
                since,
                APIParameter(.query, "limit", "--limit", .value(pageLimit), help: "at most so many", standard: "500"),
                APIParameter(
                    .query, "wait", "--wait", .value(.seconds(upTo: Limits.apiWaitSeconds)),
                    help: "where there is nothing, wait up to so many seconds for it"),
            ], answer: .list("Change", next: .token)),
        Endpoint(
            "events", .get, "/v1/events", .feed, .command("changes"),
            "What changes, as server-sent events; the id of each is its token", parameters: [since],
            fixed: ["--follow": [""]], answer: .events),
    ]

    static let syncShapes: [Shape] = [
        Shape("Synced", "caughtUp bool,peers int"),
        Shape(
            "Change",
            """
            token text,kind text,at? int,conversationId? text,deviceId? text,state? text,txid? txid,txids? [txid],\
            count? int
            """),
    ]
}
