import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct CompletionsTests {
    private let completions = Completions(commands: Tool.commands)

    @Test func everyCommandAndOptionIsInEachScript() {
        for shell in Completions.Shell.allCases {
            let script = completions.script(shell)
            for spec in Tool.commands {
                for word in spec.path { #expect(script.contains(word)) }
                for option in spec.options {
                    #expect(script.contains(shell == .fish ? "-l \(option.name.dropFirst(2))" : option.name))
                }
            }
        }
    }

    @Test func valuesComeFromTheKindsOfTheOptions() {
        func candidates(_ command: String, _ option: String) -> Completions.Candidates? {
            completions.taking.first { $0.command == command && $0.option == option }?.candidates
        }
        #expect(candidates("run", "--log-format") == .words(["text", "json"]))
        #expect(candidates("init", "--phrase-file") == .files)
        #expect(candidates("message hint", "--conversation") == Completions.Candidates.none)
        #expect(candidates("run", "--json") == nil)
        let settings = completions.places.first { $0.command == "config set" && $0.number == 0 }
        #expect(settings?.candidates == .words(SettingKey.allCases.map(\.rawValue)))
    }
}
