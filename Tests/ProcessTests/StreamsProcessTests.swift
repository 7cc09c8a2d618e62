import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// Programs are started with a closed standard input, output or error, onto a full disk, and into pipes that nobody
    /// reads. No output may land in a file of the home, and lost data must not end with exit status 0.
    @Suite struct Streams {
        enum Fault: String, CaseIterable {
            case none = "exec \"$0\" \"$@\""
            case closedInput = "exec \"$0\" \"$@\" <&-"
            case closedOutput = "exec \"$0\" \"$@\" >&-"
            case closedError = "exec \"$0\" \"$@\" 2>&-"
            case allClosed = "exec \"$0\" \"$@\" <&- >&- 2>&-"
            case fullOutput = "exec \"$0\" \"$@\" >/dev/full"
            case brokenPipe = "exec 3> >(exit 0); wait $!; exec \"$0\" \"$@\" >&3 3>&-"

            var losesOutput: Bool { [.closedOutput, .allClosed, .fullOutput].contains(self) }
            var losesInput: Bool { [.closedInput, .allClosed].contains(self) }
        }

        /// These commands only report success, or keep their data in a file: they end with 0, heard or not.
        private static let wordsOnly: Set<String> = [
            "import", "backup", "restore", "flush", "scrub", "message add", "message confirm", "message reorg",
            "message delete", "message restore", "message hint", "conversation delete", "conversation restore",
            "conversation set", "read mark", "read leave",
            "read import", "device rename", "account label", "account default", "account pause", "account resume",
            "pause", "resume", "account rotate", "account confirm", "account enter", "achievement import",
        ]

        private func attempt(
            _ fixture: Fixture, _ fault: Fault, home: String, _ arguments: [String], input: String? = nil
        ) throws -> CommandResult {
            var command = fixture.binary.command(home: home, arguments)
            command.arguments = ["-c", fault.rawValue, command.program] + command.arguments
            command.program = "bash"
            if let input { command.input = .file(input) }
            // `run` collects both streams, and leaves the input unchanged.
            return try command.run()
        }

        /// The arguments for each command of the catalogue, and its home, if that is a new one.
        private func trials(_ place: Place) -> [String: (home: String, arguments: [String])] {
            var trials: [String: (home: String, arguments: [String])] = [:]
            for (name, arguments) in place.arguments {
                trials[name] = (place.home, name.split(separator: " ").map(String.init) + arguments)
            }
            for name in ["init", "setup", "restore"] { trials[name]?.home = place.folder + "/" + name }
            return trials
        }

        /// A copy of the prepared home, with what the commands need.
        private struct Place {
            let folder: String
            let home: String
            let arguments: [String: [String]]

            init(_ fixture: Fixture, _ fault: Fault, talk: Talk, invitation: String) throws {
                folder = fixture.folder.file("\(fault)")
                home = folder + "/home"
                mkdir(folder, 0o700)
                try FileTree.copy(fixture.nodes[0].home, to: home)
                let (first, second) = (talk.messages[0], talk.messages[1])
                arguments = [
                    "init": [], "account list": [], "account show": [], "account create": ["--label", "work"],
                    "account import": ["--phrase-file", fixture.folder.file("other"), "--label", "third"],
                    "account phrase": [], "account confirm": ["--words-file", fixture.phraseFile],
                    "account enter": ["--phrase-file", fixture.phraseFile], "account label": ["main"],
                    "account default": ["main"],
                    "account remove": ["third", "--yes"], "account pause": [], "account resume": [],
                    "account rotate": [], "account renew": ["--account", "work"], "pause": [], "resume": [],
                    "setup": ["--account", "new", "--name", "new"],
                    "account pair": ["--timeout", "1", "--discovery", "off", "--listen", "127.0.0.1:0"],
                    "pairing show": [], "pairing choose": ["1234"], "pairing confirm": ["123456"],
                    "pairing refuse": [], "pairing stop": [], "import": [fixture.folder.file("talk")], "export": [],
                    "backup": [folder + "/backup"], "restore": [fixture.folder.file("backup")], "flush": [],
                    "scrub": [], "message list": [first.conversationID],
                    "message show": [first.txidHex], "message add": [],
                    "message confirm": [first.txidHex, "--score", "118000000"],
                    "message reorg": [first.txidHex], "message delete": [second.txidHex, "--yes"],
                    "message restore": [first.txidHex], "message deleted": [],
                    "message hint": [String(repeating: "7", count: 64)],
                    "message search": [String(first.body.split(separator: " ").first ?? "a")],
                    "conversation list": [], "conversation delete": [second.conversationID, "--yes"],
                    "conversation restore": [second.conversationID],
                    "conversation show": [first.conversationID],
                    "conversation set": [first.conversationID, "--title", "x"], "read mark": [first.conversationID],
                    "read leave": [first.conversationID], "read import": ["/dev/null"], "peers": [],
                    "device list": [], "device show": ["00112233"], "device rename": ["renamed"], "device address": [],
                    "device remove": ["00112233", "--phrase-file", fixture.phraseFile],
                    "device forget": ["00112233"], "group create": ["Second"], "group list": [],
                    "group show": ["Family"], "group members": ["Family"], "group rename": ["Second", "Third"],
                    "group set-name": ["Family", "Ann"], "group invite": ["Family"], "group invites": ["Family"],
                    "group revoke-invite": ["Family", "00112233"], "group join": [invitation, "--wait", "0"],
                    "group inspect": [invitation], "group split": [invitation, "--people", "1"],
                    "group remove": ["Family", "Ben", "--yes"], "group suspend": ["Family", "Ben"],
                    "group unsuspend": ["Family", "Ben"], "group set-role": ["Family", "Ben", "viewer"],
                    "group successor": ["Family", "--yes"], "group follow": ["Family"], "group pause": ["Family"],
                    "group resume": ["Family"],
                    "group leave": ["Family", "--yes"], "group delete": ["Third", "--yes"],
                    "game add": ["Family", "Mini", "--model", "lower-seconds"], "game list": ["Family"],
                    "score post": ["Family", "--game", "Wordle", "--score", "3"], "score list": ["Family"],
                    "score import": ["Family", "/dev/null"],
                    "score remove": ["Family", "--game", "Wordle", "--yes"], "leaderboard": ["Family"],
                    "leaderboard history": ["Family"], "leaderboard race": ["Family"], "leaderboard day": ["Family"],
                    "achievement import": [fixture.folder.file("achievements")], "achievement export": [],
                    "achievement list": [], "status": [], "explain": [first.txidHex],
                    "doctor": ["--discovery", "lo"], "diagnostics": [], "sync": [], "background": [],
                    "foreground": [], "changes": ["--limit", "5"], "notices": ["--since", "0", "--limit", "5"],
                    "config list": [], "config get": ["api.port"], "config set": ["archive.messages", "50"],
                    "config check": [], "config unset": ["archive.messages"], "token create": ["--scope", "admin"],
                    "token list": [], "token revoke": ["00112233"], "completions": ["bash"],
                    "dashboard": ["--no-open"], "version": [], "help": [], "sim": ["--hours", "0.001"],
                    "bench": ["--help"],
                ]
            }
        }

        /// The commands in the order of `help`, without `run`, which has its own test.
        private func catalogue(_ fixture: Fixture) throws -> [String] {
            let lines = try Command(fixture.binary.path, ["help", "--all"]).run().output
                .split(separator: "\n", omittingEmptySubsequences: false)
            let start = try #require(lines.firstIndex(of: "commands:")) + 1
            return lines[start...].prefix { $0.hasPrefix("  ") }
                .map { $0.dropFirst(2).split(separator: "  ").first.map(String.init) ?? "" }.filter { $0 != "run" }
        }

        /// A home with messages, a group, a game and a result, and files for the commands.
        private func prepare(_ fixture: Fixture, _ talk: Talk) throws -> (node: DrivenNode, invitation: String) {
            let node = try fixture.node("one")
            try fixture.stranger().savePhrase(to: fixture.folder.file("other"))
            _ = try fixture.file("achievements", ["[]"])
            _ = try fixture.file("line", [talk.lines[0]])
            try node.run(["import", try fixture.file("talk", talk.lines)])
            try node.run(["group", "create", "Family"])
            try node.run(["game", "add", "Wordle", "--model", "lower-attempts", "--max-attempts", "6"])
            try node.run(["score", "post", "Family", "--game", "Wordle", "--score", "4"])
            try node.run(["backup", fixture.folder.file("backup")])
            let invitation = try node.run(["group", "invite", "Family", "--people", "2"]).split(separator: "\n").first
            return (node, String(try #require(invitation)))
        }

        /// Checks that no file of a home contains a command's output.
        private func check(_ home: String, _ what: Comment) {
            let lock = String(decoding: FileTree.read(home + "/lock") ?? [], as: UTF8.self)
            #expect(lock.wholeMatch(of: /[0-9]*\n?/) != nil, "\(what): lock holds \(lock)")
            for name in ["config.json", "care.json", "tokens.json"] {
                guard let first = FileTree.read(home + "/" + name)?.first else { continue }
                #expect(first == UInt8(ascii: "{"), "\(what): \(name)")
            }
            let identity = String(decoding: FileTree.read(home + "/identity") ?? [], as: UTF8.self)
            #expect(!identity.contains("\n  ") && !identity.contains("kachat-node: "), "\(what): identity")
            for name in FileTree.names(in: home + "/zones") where name.hasSuffix(".db") {
                let head = FileTree.read(home + "/zones/" + name)?.prefix(15) ?? []
                #expect(head.elementsEqual("SQLite format 3".utf8), "\(what): \(name)")
            }
        }

        private func status(_ fault: Fault, _ name: String, asUsual usual: CommandResult) -> ProcessHarness.ExitStatus {
            if fault.losesInput && name == "message add" { return .exited(1) }
            // Nobody saw the phrase.
            if fault == .brokenPipe && ["init", "setup"].contains(name) { return .exited(1) }
            guard fault.losesOutput, usual.status == .exited(0), !usual.output.isEmpty else { return usual.status }
            return Self.wordsOnly.contains(name) ? .exited(0) : .exited(1)
        }

        @Test func everyCommandWithEachOfThem() throws {
            let fixture = try Fixture()
            let talk = Talk(60)
            let (_, invitation) = try prepare(fixture, talk)
            let names = try catalogue(fixture)
            #expect(names.count > 90)
            var usual: [String: CommandResult] = [:]
            var content = ""
            let few: [Fault] = [.none, .closedOutput, .brokenPipe]
            for fault in TestScale.of(usual: few, proof: Fault.allCases) {
                let place = try Place(fixture, fault, talk: talk, invitation: invitation)
                let trials = trials(place)
                for name in names {
                    let trial = try #require(trials[name], "`\(name)` is new: say here what it is tried with")
                    let input = name == "message add" ? fixture.folder.file("line") : nil
                    let result = try attempt(fixture, fault, home: trial.home, trial.arguments, input: input)
                    if fault == .none { usual[name] = result }
                    let expected = status(fault, name, asUsual: try #require(usual[name]))
                    #expect(result.status == expected, "\(name), \(fault): \(result.errorOutput)")
                    if expected != usual[name]?.status, fault == .closedOutput, !["init", "setup"].contains(name) {
                        #expect(result.errorOutput.contains("cannot write the output: it is closed"), "\(name)")
                    }
                    check(trial.home, "\(name), \(fault)")
                }
                // Everything that was written is whole.
                let node = DrivenNode(fixture.binary, name: "\(fault)", home: place.home)
                let held = try node.run(["export", "--state"])
                if fault == .none { content = held }
                #expect(held.split(separator: "\n").count == content.split(separator: "\n").count, "\(fault)")
                #expect(try node.run(["scrub"]).contains("all good"))
                let copy = DrivenNode(fixture.binary, name: "copy", home: place.folder + "/copy")
                try copy.run(["restore", place.folder + "/backup"])
                for home in ["init", "setup", "restore"] {
                    let made = DrivenNode(fixture.binary, name: home, home: place.folder + "/" + home)
                    #expect(try made.status().accounts.count == 1, "\(fault)")
                }
            }
        }

        /// Runs the commands through the socket of a running node.
        @Test(arguments: Fault.allCases) func withARunningNode(fault: Fault) throws {
            let fixture = try Fixture()
            let talk = Talk(60)
            let (node, _) = try prepare(fixture, talk)
            try node.start()
            let archive = fixture.folder.file("archive")
            let commands: [(arguments: [String], isData: Bool)] = [
                (["status"], true), (["export"], true), (["conversation", "list"], true), (["config", "list"], true),
                (["dashboard", "--no-open"], true), (["token", "create", "--scope", "admin"], true),
                (["export", "--archive", archive], false), (["backup", archive + ".backup"], false),
                (["import", fixture.folder.file("talk")], false), (["flush"], false),
            ]
            for (arguments, isData) in commands {
                let result = try attempt(fixture, fault, home: node.home, arguments)
                let expected: ProcessHarness.ExitStatus = fault.losesOutput && isData ? .exited(1) : .exited(0)
                #expect(result.status == expected, "\(arguments), \(fault): \(result.errorOutput)")
                check(node.home, "\(arguments), \(fault)")
            }
            let other = DrivenNode(fixture.binary, name: "other", home: fixture.folder.file("restored"))
            try other.run(["restore", archive + ".backup"])
            #expect(try other.run(["import", archive]).contains(" 0 new"))
            #expect(try node.messageCount() == talk.messages.count)
        }

        /// It serves even if nobody hears that it does, and ends in order.
        @Test(arguments: Fault.allCases) func aNodeServes(fault: Fault) throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            var command = fixture.binary.command(home: node.home, ["run"] + node.runArguments)
            command.arguments = ["-c", fault.rawValue, command.program] + command.arguments
            command.program = "bash"
            command.errorOutput = .file(node.logPath)
            command.output = .discarded
            let process = try ChildProcess(command)
            try fixture.wait("it serves") { try node.attempt(["peers"]).status == .exited(0) }
            #expect(try node.run(["import", try fixture.file("talk", Talk(20).lines)]).contains("20 new"))
            check(node.home, "run, \(fault)")
            process.terminate()
            #expect(try process.wait() == .exited(0), "\(node.log)")
            #expect(try node.messageCount() == 20)
        }
    }
}
