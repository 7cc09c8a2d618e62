import Node

/// The node itself.
extension APITable {
    package static let service: [Endpoint] = [
        Endpoint("health", .get, "/healthz", .open, .health, "Whether the node serves", answer: .object("Health")),
        Endpoint("openapi", .get, "/v1/openapi.json", .open, .document, "This document", answer: .object("Document")),
        Endpoint(
            "status", .get, "/v1/status", .anyToken, .command("status"),
            "What is here, whether it is complete, and who is in reach", answer: .object("Status")),
        Endpoint(
            "diagnostics", .get, "/v1/diagnostics", .scope(.admin), .command("diagnostics"),
            "What a bug report needs: no names, no addresses, no messages, no secrets", answer: .object("Diagnostics")),
        Endpoint(
            "background", .post, "/v1/background", .scope(.admin), .command("background"),
            "Hand over what is new, then close all sessions and let go of the databases", body: .fields,
            answer: .object("Background")),
        Endpoint(
            "foreground", .post, "/v1/foreground", .scope(.admin), .command("foreground"),
            "Listen and beacon again, and ask all peers", body: .fields, answer: .object("Foreground")),
    ]

    static let serviceShapes: [Shape] = [
        Shape("Health", "status ok|"),
        Shape("Document", "openapi text,info object,paths object,components object"),
        Shape(
            "Status",
            """
            state idle|syncing|synced|paused|waiting|error,deviceId text?,name text,version text,home text,\
            program text,accounts [AccountStatus],reminder? text?,backupAt? int?,peers [Peer],\
            listen text?,api text?,addresses [text],pid int,refused object,foreignBeacons int
            """),
        Shape(
            "AccountStatus",
            """
            accountId text,label text,deviceId? text,state text,reason text?,sentence text,summary text,\
            problems [AccountProblem],lastChangeAt? int?,since? int?,until? int?,\
            update? text?,progress? object,devices? [Device],messages? int,conversations? int,unread? int,\
            segments? int,queued? int,wantedBlobs? int,placeholders? int,records? int,zoneDigest? text,caughtUp bool,\
            lastSyncedAt? int?,unreadableSegments? int,unknownRecords? int,\
            accountOption? text?,phraseConfirmed? bool
            """),
        Shape("AccountProblem", "code text,what text,device text?,deviceId text?,remedy text"),
        Shape(
            "Diagnostics",
            """
            version text,protocolVersion int?,sqlite text,state text,startedAt int,interfaces [object],\
            accounts [object]
            """),
        Shape("Background", "segments int,peers int,handedOver bool,released bool"),
        Shape("Foreground", "listen text?"),
        Shape(
            "Problem",
            """
            type text,status int,code text,title text,detail text,parameter? text,allowed? text,notes? [text],\
            result? any
            """
        ),
    ]
}
