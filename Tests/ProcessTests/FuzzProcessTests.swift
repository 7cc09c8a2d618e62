import NodeDriver
import ProcessHarness
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ProcessTests {
    /// A fuzzer that knows only the node's OpenAPI document: schemathesis.
    @Suite struct Fuzz {
        private static let schemathesis: String? = {
            let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            let path = root + "/.build/python/bin/schemathesis"
            return FileManager.default.isExecutableFile(atPath: path) ? path : nil
        }()

        private let fixture: Fixture
        private let node: DrivenNode
        private let app: APIClient
        /// The existing values, so that more is reached than "not found", and those for which the document cannot state
        /// a request's rules: one date after another, a text with a number of letters, the id of somebody present, an
        /// attachment that is linked or inline.
        private let accepted: String

        init() throws {
            fixture = try Fixture()
            node = try fixture.started("one")[0]
            app = try APIClient(node, scopes: "admin")
            try node.run(["import", try fixture.file("chat", Talk(40, conversations: 2).lines)])
            let group = try node.object(Groups.Created.self, ["group", "create", "Family"]).groupId
            accepted = Self.accepted(group)
            try node.run(["game", "add", "Wordle", "--group", "Family", "--model", "lower-attempts"])
        }

        /// The node understands what the document allows, and answers as it says.
        @Test(.enabled(if: schemathesis != nil, "schemathesis is missing: Scripts/setup.sh brings it, or says why"))
        func nothingIsFoundInWhatIsAllowed() throws {
            try findNothing(["--mode", "positive", "--phases", "coverage,fuzzing"], settings: accepted)
        }

        /// The node refuses what the document does not allow, and answers as it says.
        @Test(.enabled(if: schemathesis != nil, "schemathesis is missing: Scripts/setup.sh brings it, or says why"))
        func nothingIsFoundInWhatIsNot() throws {
            try findNothing(["--mode", "negative", "--phases", "fuzzing"], settings: "")
        }

        private static func accepted(_ group: String) -> String {
            let parameters =
                "[parameters]\naccount = \"main\"\ngroup = \"\(group)\"\ngame = \"Wordle\"\nwait = 0\n"
            let choosy = [
                "device", "forgetDevice", "renameOtherDevice", "leaderboard", "leaderboardRace", "scores",
                "setConversation", "createGroup", "renameGroup", "joinGroup", "invite", "postScore", "inspectInvite",
                "postScoreEverywhere", "followGroup", "hintMessage", "setNameInGroup", "addGame", "addMessage",
                "putMessage", "importChat", "importReads", "importScores", "importAchievements",
            ]
            // No day is after this one, so every other one may be `from`.
            let search = "[[operations]]\ninclude-operation-id = \"search\"\nparameters.to = \"9999-12-31\"\n"
            let exceptions = choosy.map {
                "[[operations]]\ninclude-operation-id = \"\($0)\"\nchecks.positive_data_acceptance.enabled = false\n"
            }
            return parameters + search + exceptions.joined()
        }

        /// To the fuzzer, lines of JSON are an array written in another way.
        private static let lines = """
            import json
            import schemathesis

            LINES = "application/x-ndjson"

            @schemathesis.hook
            def before_load_schema(context, raw_schema):
                for path in raw_schema["paths"].values():
                    for operation in path.values():
                        body = operation.get("requestBody", {}).get("content", {}).get(LINES)
                        if body:
                            body["schema"] = {"type": "array", "items": body["x-itemSchema"]}

            @schemathesis.serializer(LINES)
            def lines(context, values):
                return b"".join(json.dumps(value).encode() + b"\\n" for value in
                    (values if isinstance(values, list) else [values]))
            """

        private func findNothing(_ arguments: [String], settings: String) throws {
            let program = try #require(Self.schemathesis)
            _ = try fixture.file("lines.py", [Self.lines])
            let file = try fixture.file("schemathesis.toml", ["hooks = \"lines\"", settings])
            let result = try Command(
                // It leaves its own notes in the folder where it runs.
                "/bin/sh",
                [
                    "-c", "cd \"$0\" && PYTHONPATH=. exec \"$@\"", fixture.folder.path, program, "--config-file", file,
                    "run",
                    "http://127.0.0.1:\(app.port)/v1/openapi.json",
                    "--header", "Authorization: Bearer \(try #require(app.token))",
                    // Events have no end, and a revoked token opens nothing. Other tests ask of each operation that
                    // wrong tokens are answered; here the node would begin to slow them down.
                    "--exclude-operation-id", "events", "--exclude-operation-id", "noticeStream",
                    // It founds a group of the same name, after which the name would be ambiguous.
                    "--exclude-operation-id", "succeedGroup",
                    "--exclude-operation-id-regex", "^revokeToken$",
                    "--exclude-checks", "ignored_auth",
                    "--max-examples", "3", "--seed", "20261121", "--no-shrink",
                    // Nothing limits how long a busy machine takes, or how few texts are not ids.
                    "--request-timeout", "120", "--suppress-health-check", "too_slow,filter_too_much", "--warnings",
                    "off",
                ] + arguments
            ).run(within: .seconds(900))
            #expect(result.status.isSuccess, "\(result.output)\n\(result.errorOutput)")
            #expect(try app.get("/healthz").status == 200)
        }
    }
}
