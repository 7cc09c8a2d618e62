import Commands
import Node

/// The words that a shell offers at the cursor, from the parser's catalogue. Its completion script asks for them at
/// each Tab.
struct Completions {
    let commands: [CommandSpec]

    struct Word: Equatable {
        let word: String
        var help = ""
    }

    enum Candidates: Equatable {
        case words([Word])
        case files
        case folders

        fileprivate static func plain(_ words: [String]) -> Candidates { .words(words.map { Word(word: $0) }) }
    }

    /// The candidates behind these words of a command line.
    ///
    /// - Parameter current: the beginning of the word at the cursor.
    func candidates(after words: [String], at current: String) -> Candidates {
        var path: [String] = []
        var places: [String] = []
        var words = words[...]
        while let word = words.popFirst() {
            if word.hasPrefix("-"), word != "-" {
                guard let kind = options(of: path).first(where: { $0.name == word })?.value else { continue }
                // The value is the next word, or the one at the cursor.
                guard words.popFirst() == nil else { continue }
                return candidates(kind)
            } else if path.isEmpty || places.isEmpty && commands.contains(where: { $0.path == path + [word] }) {
                path.append(word)
            } else {
                places.append(word)
            }
        }
        if current.hasPrefix("-") {
            return .words(options(of: path).map { Word(word: $0.name, help: $0.help) })
        }
        return candidates(behind: path, places)
    }

    private func options(of path: [String]) -> [ParameterSpec] {
        let own = commands.first { $0.path == path }?.options ?? []
        return own + CommandLineParser.global + (path.isEmpty ? [ParameterSpec("--version")] : [])
    }

    /// The second words of a family, or else what the command takes at this place. `help` takes the names of commands.
    private func candidates(behind path: [String], _ places: [String]) -> Candidates {
        let isHelp = path == ["help"]
        let named = isHelp ? places : path
        guard !named.isEmpty else {
            return .words(
                commands.firstWords.map { first in
                    Word(word: first, help: commands.first { $0.path == [first] }?.summary ?? "")
                })
        }
        let family = isHelp || places.isEmpty ? commands.filter { $0.path.count == 2 && [$0.path[0]] == named } : []
        guard family.isEmpty, !isHelp else {
            return .words(family.map { Word(word: $0.path[1], help: $0.summary) })
        }
        let all = commands.first { $0.path == path }?.places ?? []
        let place = places.count < all.count ? all[places.count] : all.last { $0.isRepeatable }
        return place?.value.map(candidates) ?? .words([])
    }

    private func candidates(_ kind: ValueKind) -> Candidates {
        switch kind {
        case .choice(_, let words): .plain(words)
        case .discovery: .plain(["auto", "lo", "off"])
        case .api: .plain(["off"])
        case .form(_, .lifetime): .plain(["30m", "12h", "7d", "never"])
        case .form(_, .scopes): .plain(APIScope.allCases.map(\.rawValue))
        case .form(_, .image): .files
        case .text("FILE"), .text("F"), .text("PROGRAM"): .files
        case .text("DIR"): .folders
        default: .words([])
        }
    }
}

extension Completions {
    /// The first argument with which a completion script calls the program; its shell and the words up to the cursor
    /// follow.
    static let request = "--complete"

    /// The answer to a completion script: a candidate a line, for fish with a tab and its explanation; or the name of
    /// what the shell knows itself.
    func answer(_ shell: CompletionShell, _ words: [String]) -> [String] {
        let current = words.last ?? ""
        switch candidates(after: words.dropLast(), at: current) {
        case .files: return [":files"]
        case .folders: return [":folders"]
        case .words(let words):
            return words.filter { $0.word.hasPrefix(current) }.map { word in
                shell == .fish && !word.help.isEmpty ? word.word + "\t" + word.help : word.word
            }
        }
    }
}

/// A shell whose completions the program can write.
enum CompletionShell: String, CaseIterable {
    case bash
    case zsh
    case fish

    var script: String {
        switch self {
        case .bash:
            """
            # bash completion of kachat-node; made by `kachat-node completions bash`
            \(Self.function)
            complete -o filenames -F _kachat_node kachat-node
            """
        case .zsh:
            """
            #compdef kachat-node
            # zsh completion of kachat-node; made by `kachat-node completions zsh`
            autoload -U +X bashcompinit && bashcompinit
            \(Self.function)
            complete -o filenames -F _kachat_node kachat-node
            # Where the shell has loaded this for a completion, it is that one's turn.
            if (( ${+compstate} )); then _bash_complete -o filenames -F _kachat_node; fi
            """
        case .fish:
            """
            # fish completion of kachat-node; made by `kachat-node completions fish`
            function __kachat_node_candidates
                set -l words (commandline -opc)
                set -l current (commandline -ct)
                set -l found (kachat-node \(Completions.request) fish $words[2..-1] "$current" 2>/dev/null)
                switch "$found"
                    case :files
                        __fish_complete_path "$current"
                    case :folders
                        __fish_complete_directories "$current"
                    case '*'
                        printf '%s\\n' $found
                end
            end
            complete -c kachat-node -f -a '(__kachat_node_candidates)'
            """
        }
    }

    /// bash(1), "Programmable Completion"; zsh uses the same function through its bashcompinit.
    private static let function = """
        _kachat_node() {
            local current="${COMP_WORDS[COMP_CWORD]}" found
            found="$(kachat-node \(Completions.request) bash "${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null)"
            case "$found" in
                :files) COMPREPLY=($(compgen -f -- "$current")) ;;
                :folders) COMPREPLY=($(compgen -d -- "$current")) ;;
                *) COMPREPLY=($found) ;;
            esac
        }
        """
}

/// `completions bash|zsh|fish`
enum CompletionsCommand {
    private static let shells = CompletionShell.allCases.map(\.rawValue)

    static let spec = CommandSpec(
        "completions", summary: "Generate a completion script",
        examples: [
            "bash > ~/.local/share/bash-completion/completions/kachat-node", "zsh > ~/.zfunc/_kachat-node",
            "fish > ~/.config/fish/completions/kachat-node.fish",
        ],
        parameters: [ParameterSpec("SHELL", .choice(shells.joined(separator: "|"), shells))])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        // The parser lets no other word through.
        guard let shell = context.command.text("SHELL").flatMap(CompletionShell.init) else { return .usage }
        context.output.line(shell.script)
        return .done
    }

    /// Answers a completion script.
    static func answer(
        _ arguments: ArraySlice<String>, _ commands: [CommandSpec], _ output: Output
    ) -> ExitStatus {
        guard let shell = arguments.first.flatMap(CompletionShell.init) else { return .usage }
        for line in Completions(commands: commands).answer(shell, Array(arguments.dropFirst())) {
            output.bufferedLine(line.utf8)
        }
        return .done
    }
}
