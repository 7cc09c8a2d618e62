package import Commands
import Node

/// Shell completions, generated from the parser's catalogue.
package struct Completions {
    package enum Shell: String, CaseIterable, Sendable {
        case bash
        case zsh
        case fish
    }

    let commands: [CommandSpec]

    package init(commands: [CommandSpec]) { self.commands = commands }

    /// The completion script of a shell.
    package func script(_ shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// The possible words at a position.
    enum Candidates: Equatable {
        case words([String])
        case files
        case folders
        /// Free text.
        case none
    }

    /// An option that takes a value, such as `--limit` of `message list`.
    struct Taking {
        /// Such as `message list`; nil for options of every command.
        let command: String?
        let option: String
        let candidates: Candidates
    }

    var taking: [Taking] {
        func values(_ command: String?, _ options: [ParameterSpec]) -> [Taking] {
            options.compactMap { option in
                option.value.map { Taking(command: command, option: option.name, candidates: candidates($0)) }
            }
        }
        return values(nil, CommandLineParser.global) + commands.flatMap { values($0.name, $0.options) }
    }

    /// Each positional argument with known candidates, numbered from 0; a repeatable one covers all that follow.
    var places: [(command: String, number: Int, isRepeatable: Bool, candidates: Candidates)] {
        commands.flatMap { spec in
            spec.places.enumerated().compactMap { number, place in
                let candidates = spec.name == "help" ? helpWords(number) : place.value.map(candidates) ?? .none
                return candidates == .none ? nil : (spec.name, number, place.isRepeatable, candidates)
            }
        }
    }

    func options(of spec: CommandSpec) -> [String] { spec.options.map(\.name) + CommandLineParser.global.map(\.name) }

    var firstWords: [String] { commands.firstWords }

    /// The second words of the commands that begin with `first`.
    func secondWords(after first: String) -> [String] {
        commands.filter { $0.path.count == 2 && $0.path[0] == first }.map { $0.path[1] }
    }

    private func helpWords(_ number: Int) -> Candidates {
        number == 0
            ? .words(firstWords) : .words(Array(Set(commands.compactMap { $0.path.dropFirst().first })).sorted())
    }

    private func candidates(_ kind: ValueKind) -> Candidates {
        switch kind {
        case .choice(_, let words): .words(words)
        case .discovery: .words(["auto", "lo", "off"])
        case .api: .words(["off"])
        case .form(_, .lifetime): .words(["30m", "12h", "7d", "never"])
        case .form(_, .scopes): .words(APIScope.allCases.map(\.rawValue))
        case .form(_, .image): .files
        case .text("FILE"), .text("F"), .text("PROGRAM"): .files
        case .text("DIR"): .folders
        default: .none
        }
    }
}

/// `completions bash|zsh|fish`
enum CompletionsCommand {
    static let spec = CommandSpec(
        "completions", summary: "Generate a completion script",
        examples: [
            "bash > ~/.local/share/bash-completion/completions/kachat-node", "zsh > ~/.zfunc/_kachat-node",
            "fish > ~/.config/fish/completions/kachat-node.fish",
        ],
        parameters: [ParameterSpec("SHELL", .choice("bash|zsh|fish", ["bash", "zsh", "fish"]))])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        guard let shell = context.command.text("SHELL").flatMap(Completions.Shell.init) else {
            throw NodeError(.usage, "completions exist for bash, zsh and fish")
        }
        context.output.line(Completions(commands: context.commands).script(shell))
        return .done
    }
}
