import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct CommandLineParserTests {
    let parser = CommandLineParser(commands: Tool.commands)

    private func message(_ arguments: String...) -> String {
        do {
            let parsed = try parser.parse(arguments)
            return "parsed \(parsed.name)"
        } catch {
            return error.exitStatus == .usage ? error.message : "not a usage error: \(error)"
        }
    }

    @Test func valuesComeByNameAndByPlace() throws {
        let parsed = try parser.parse(["message", "list", "--conversation", "al ice", "--limit=20", "--json"])
        #expect(parsed.name == "message list")
        #expect(parsed.text("--conversation") == "al ice")
        #expect(parsed.number("--limit") == 20)
        #expect(parsed.isJSON)
        #expect(!parsed.has("--before"))
        // The former name, which no help shows, also works.
        #expect(try parser.parse(["events", "--follow"]).name == "notices")
        let marked = try parser.parse(["--home", "/h", "read", "mark", "#ubuntu"])
        #expect(marked.text("CONVERSATION") == "#ubuntu")
        #expect(marked.home == "/h")
    }

    @Test func optionsRepeatOnlyWhereAllowed() throws {
        let parsed = try parser.parse(["run", "--peer", "a:1", "--peer", "[fe80::1]:2"])
        #expect(parsed.texts("--peer") == ["a:1", "[fe80::1]:2"])
        #expect(message("run", "--listen", "a:1", "--listen", "a:2").hasPrefix("--listen is given twice"))
    }

    @Test func anInvitationMayBeSplitAnywhere() throws {
        let parsed = try parser.parse(["group", "join", "kachat:aeda", "-mka6ghq", "-", "62ip", "--name", "Ben"])
        #expect(parsed.values["TOKEN"] == ["kachat:aeda", "-mka6ghq", "-", "62ip"])
        #expect(parsed.values["--name"] == ["Ben"])
        #expect(message("group", "inspect", "-mka6").contains("no option"))
        #expect(message("group", "inspect", "kachat:a", "--mka6").contains("no option"))
    }

    @Test func aDashIsAFileAndTwoEndTheOptions() throws {
        #expect(try parser.parse(["import", "-"]).text("FILE") == "-")
        #expect(try parser.parse(["import", "--", "--odd"]).text("FILE") == "--odd")
    }

    @Test func errorsSayWhatIsAllowed() {
        #expect(message("stauts") == "unknown command `stauts` (did you mean `status`?); see `kachat-node help`")
        #expect(message("message", "lst").contains("did you mean `list`?"))
        #expect(message("message", "lst").contains("list, show, add"))
        #expect(message("read") == "`read` needs one of: mark, leave, import")
        #expect(message("message", "hint").hasPrefix("message hint needs TXID"))
        #expect(message("leaderboard", "day", "2026-11-20") == "parsed leaderboard day")
        #expect(message("game", "add", "Wordle").hasPrefix("game add needs --model M: one of `lower-attempts`, "))
        #expect(message("token", "create").contains("--scope S[,S]: one or more of chat:read, "))
        #expect(message("message", "list", "--conversation", "a", "--limit", "0").contains("from 1 to 10000, not `0`"))
        #expect(message("message", "list", "--convers", "a").contains("has no option --convers"))
        #expect(message("message", "show", "12").contains("64 hexadecimal digits"))
        #expect(message("sync", "--timeout", "soon").contains("a time of at most 86400 s, such as 30s or 2m"))
        #expect(milliseconds("2m") == 120_000 && milliseconds("1.5") == 1_500 && milliseconds("2x") == nil)
        #expect(message("run", "--listen", "4711").contains("must be HOST:PORT"))
        // An empty value is not shown.
        #expect(message("import", "").hasPrefix("FILE must not be empty\nusage: "))
        #expect(message("message", "list", "a", "--limit", "").contains("from 1 to 10000\nusage: "))
        #expect(message("run", "--peer", "laptop:0").contains("with a port from 1"))
        #expect(message("run", "--listen", "127.0.0.1:0") == "parsed run")
        #expect(message("status", "now").contains("takes no argument `now`"))
        #expect(message("init", "--name").contains("--name needs a value"))
        #expect(message("flush", "--json=1").contains("takes no value"))
    }

    /// The words that people try first lead to a command.
    @Test func wordsThatNoCommandHasLeadToOne() {
        #expect(message("pair").hasPrefix("unknown command `pair` (did you mean `account pair`?)"))
        #expect(message("list").contains("did you mean `conversation list`, `message list`, `account list` or "))
        #expect(message("send").contains("(did you mean `message add`?)"))
        #expect(message("JOIN").contains("(did you mean `group join`?)"))
        let paths = Tool.commands.map(\.path)
        for word in ["ls", "start", "find", "log"] {
            for name in FirstNeeds.meant(by: word, in: paths) { #expect(Tool.commands.contains { $0.name == name }) }
        }
    }

    @Test func theObjectOfACommandIsKnownByItsPlace() throws {
        func values(_ line: String) throws -> [String: [String]] {
            try parser.parse(line.split(separator: " ").map(String.init)).values
        }
        #expect(try values("account pause work") == ["--account": ["work"]])
        #expect(try values("account pause --account work") == ["--account": ["work"]])
        #expect(try values("account label private") == ["LABEL": ["private"]])
        #expect(try values("account label work private") == ["--account": ["work"], "LABEL": ["private"]])
        #expect(
            try values("game add Wordle --model higher --group G") == [
                "NAME": ["Wordle"], "--model": ["higher"], "--group": ["G"],
            ])
        #expect(try values("score import Family -")["FILE"] == ["-"])
        #expect(try values("score import -") == ["FILE": ["-"]])
        let txid = String(repeating: "ab", count: 32)
        #expect(try values("message confirm \(txid)") == ["--txid": [txid]])
        #expect(try values("message confirm events.jsonl") == ["FILE": ["events.jsonl"]])
        #expect(message("account", "pause", "a", "--account", "b").contains("takes no argument `a`"))
        #expect(message("score", "import", "a", "b", "c").contains("takes no argument `c`"))
        #expect(
            message("score", "import").hasPrefix(
                "score import needs FILE\nusage: kachat-node score import [GROUP] FILE"))
    }

    @Test func helpWinsOverWhatIsMissing() throws {
        #expect(try parser.parse(["message", "list", "--help"]).wantsHelp)
        #expect(try parser.parse(["--help"]).name == "help")
        let family = try parser.parse(["message", "--help"])
        #expect(family.name == "help" && family.text("COMMAND") == "message")
        #expect(try parser.parse(["message", "-h"]).name == "help")
        #expect(try parser.parse(["--version"]).name == "version")
    }

    @Test func helpBeginsWithExamples() throws {
        for spec in Tool.commands {
            let lines = Help.text(spec).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[2] == "examples:")
            #expect(lines[3].hasPrefix("  ") && lines[3].contains("kachat-node \(spec.name)"))
            #expect(lines.allSatisfy { $0.count <= 140 })
        }
        #expect(Help.all(Tool.commands, columns: .max).contains("conversation list"))
    }

    @Test(arguments: [40, 80]) func helpShowsWhatIsNeededFirst(columns: Int) {
        let lines = Help.first(Tool.commands, columns: columns).split(separator: "\n").map(String.init)
        let names = FirstNeeds.groups.flatMap(\.commands)
        for name in names { #expect(lines.contains { $0.hasPrefix("  \(name)") }) }
        #expect(names.count < 20)
        #expect(lines.allSatisfy { $0.count <= columns })
    }

    @Test func everyExampleParses() throws {
        for spec in Tool.commands {
            for example in spec.examples {
                // The text after a gap says what the example is for.
                let command = example.split(separator: "   ", maxSplits: 1)[0]
                let text = command.replacing("TXID", with: String(repeating: "ab", count: 32))
                // Words are split as in a shell: quoted text is one word.
                let words = text.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
                    $0.isMultiple(of: 2) ? $1.split(separator: " ") : [$1]
                }
                guard let start = words.firstIndex(of: "kachat-node") else { continue }
                let arguments = words[(start + 1)...].prefix { $0 != "<" && $0 != ">" }.map(String.init)
                #expect(try parser.parse(arguments).spec.name == spec.name)
            }
        }
    }

    @Test func arbitraryWordsNeverTrap() {
        let words = [
            "--", "-", "--home", "--json=", "read", "mark", "=", "--=", "\u{0}", "message", "--limit", "9999999999",
        ]
        for a in words {
            for b in words {
                for c in words { _ = try? parser.parse([a, b, c]) }
            }
        }
        #expect((try? parser.parse(Array(repeating: "x", count: 1000))) == nil)
    }

    @Test(arguments: [
        ("1.2.3.4:5", "1.2.3.4", 5), ("[::1]:65535", "::1", 65535), ("laptop.local:0", "laptop.local", 0),
    ])
    func hostAndPort(text: String, host: String, port: Int) {
        #expect(HostPort(text) == HostPort(host: host, port: UInt16(port)))
        #expect(HostPort(text)?.description == text)
    }

    @Test(arguments: ["", ":", "a:", ":1", "a:65536", "a:-1", "::1:5", "[a]:1", "a b:1", "a:+1", "[::1:5"])
    func noHostAndPort(text: String) { #expect(HostPort(text) == nil) }

    @Test func secondsHaveUpToThreeDecimals() {
        #expect(milliseconds("1.5") == 1500)
        #expect(milliseconds("0.001") == 1)
        #expect(milliseconds("30") == 30_000)
        for bad in ["", ".", "1.", ".5", "-1", "1.2345", "99999999999", "1e3"] { #expect(milliseconds(bad) == nil) }
    }

    /// Garbage for each kind of value, which no command accepts.
    private func garbage(_ kind: ValueKind) -> [String] {
        let long = String(repeating: "x", count: Limits.argumentBytes + 1)
        switch kind {
        case .text: return ["", long]
        case .limited(_, let bytes): return ["", String(repeating: "é", count: bytes / 2 + 1), long]
        case .line(_, let bytes): return ["", "a\nb", String(repeating: "x", count: bytes + 1), long]
        case .number(_, let range):
            let above = range.upperBound == .max ? "18446744073709551616" : "\(range.upperBound + 1)"
            return ["", "x", "-1", "1.5", "0x1", "１", above, long] + (range.lowerBound > 0 ? ["0"] : [])
        case .form(_, .title): return ["", " ", "a\nb", String(repeating: "x", count: 81), long]
        case .form(_, .paragraph): return ["", "a\u{1}b", String(repeating: "x", count: 401), long]
        case .seconds(let most): return ["", "x", "-1", "1.2345", "\(most + 1)", "inf", long]
        default: return ["", "\u{0}", "no such thing", "-1", long]
        }
    }

    /// The error for every option and place of every command names it, and says what is allowed.
    @Test func garbageForEveryOptionIsAUsageError() throws {
        for spec in Tool.commands {
            for option in spec.options + CommandLineParser.global {
                guard let kind = option.value else {
                    #expect(message(spec, ["\(option.name)=x"]).contains("\(option.name) takes no value"))
                    continue
                }
                for value in garbage(kind) {
                    let said = message(spec, ["\(option.name)=\(value)"])
                    let isNamed = said.contains(option.name) && said.contains(" must ")
                    #expect(isNamed || said.contains("longer than"), "\(spec.name) \(option.name): \(said.prefix(200))")
                    #expect(said.utf8.count < 2_000)
                }
                let last = message(spec, [option.name])
                #expect(last.contains("\(option.name) needs a value"), "\(last)")
            }
            for place in spec.places {
                let kind = try #require(place.value, "a place is no switch")
                for value in garbage(kind) where !value.hasPrefix("-") {
                    let before = spec.places.prefix { $0.name != place.name }.compactMap(\.value).map(sample)
                    let after = spec.places.drop { $0.name != place.name }.dropFirst().compactMap(\.value).map(sample)
                    let said = message(spec, before + [value] + after)
                    // A word that does not fit an optional place is passed to the next one.
                    let isPassed = said.contains("takes no argument")
                    let isNamed = said.contains(place.usage) && said.contains(" must ")
                    #expect(
                        isNamed || said.contains("longer than") || !place.isRequired && isPassed,
                        "\(spec.name) \(place.name): \(said.prefix(200))")
                }
            }
            #expect(message(spec, ["--nonsense"]).contains("has no option --nonsense"))
        }
    }

    private func message(_ spec: CommandSpec, _ arguments: [String]) -> String {
        do {
            return "parsed \(try parser.parse(spec.path + arguments).name)"
        } catch {
            return error.exitStatus == .usage ? error.message : "not a usage error: \(error)"
        }
    }

    /// A value that is allowed.
    private func sample(_ kind: ValueKind) -> String {
        switch kind {
        case .choice(_, let words): words[0]
        case .number(_, let range): "\(range.lowerBound)"
        case .txid: String(repeating: "ab", count: 32)
        case .form(_, .day): "20260131"
        default: "x"
        }
    }

    @Test func wrongValuesAreToldWithTheNearestOne() {
        #expect(message("leaderboard", "--period", "weak").contains("not `weak` (did you mean `week`?)"))
        #expect(message("group", "set-role", "g", "m", "amdin").contains("(did you mean `admin`?)"))
        #expect(message("config", "get", "archive.mesages").contains("(did you mean `archive.messages`?)"))
        #expect(message("run", "--log-level", "debg").contains("(did you mean `debug`?)"))
        #expect(message("run", "--listne", "a:1").contains("(did you mean `--listen`?)"))
        #expect(message("score", "post", "--date", "20260231").contains("a day such as 2026-01-31"))
        #expect(message("token", "create", "--scope", "chat:raed").contains("chat:read"))
    }

    @Test func quietIsForEveryCommand() throws {
        #expect(try parser.parse(["--quiet", "flush"]).isQuiet)
        #expect(try parser.parse(["flush", "--quiet"]).isQuiet)
        #expect(try !parser.parse(["flush"]).isQuiet)
    }
}
