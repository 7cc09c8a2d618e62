import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct CompletionsTests {
    private func offered(_ words: String, _ current: String = "") -> [String] {
        let words = words.split(separator: " ").map(String.init)
        return Completions(commands: Tool.commands).answer(.bash, words + [current])
    }

    @Test func everyCommandAndOptionIsOffered() {
        for spec in Tool.commands {
            #expect(offered("", spec.path[0]).contains(spec.path[0]))
            if spec.path.count == 2 { #expect(offered(spec.path[0]).contains(spec.path[1])) }
            let options = offered(spec.name, "--")
            for option in spec.options + CommandLineParser.global {
                #expect(options.contains(option.name), "\(spec.name)")
            }
        }
    }

    @Test func valuesComeFromTheKindsOfTheOptions() {
        #expect(offered("run --log-format") == ["text", "json"])
        #expect(offered("run --log-level info --log-format", "j") == ["json"])
        #expect(offered("init --phrase-file") == [":files"])
        #expect(offered("--home") == [":folders"])
        #expect(offered("message hint --conversation") == [])
        #expect(offered("message hint --conversation=alice", "--conv") == ["--conversation"])
        #expect(offered("config set") == SettingKey.allCases.map(\.rawValue))
        #expect(offered("config set api.port") == [])
        #expect(offered("run --json --listen", "1") == [])
    }

    @Test func wordsAreThoseOfTheCommandsNameOnlyInItsPlace() {
        #expect(offered("leaderboard", "d") == ["day"])
        #expect(offered("leaderboard Family", "d") == [])
        #expect(offered("--home /tmp --json", "sta") == ["status"])
        #expect(offered("message", "de") == ["delete", "deleted"])
        #expect(offered("unknown") == [])
        #expect(offered("", "--v") == ["--version"])
    }

    @Test func helpTakesNamesOfCommands() {
        #expect(offered("help", "sta") == ["status"])
        #expect(offered("help message", "de") == ["delete", "deleted"])
        #expect(offered("help import") == [])
    }

    @Test func fishShowsAnExplanation() {
        let completions = Completions(commands: Tool.commands)
        #expect(completions.answer(.fish, ["versio"]) == ["version\tShow the version"])
        #expect(completions.answer(.zsh, []).contains("version"))
    }
}
