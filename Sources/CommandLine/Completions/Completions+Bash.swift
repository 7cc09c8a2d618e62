import Commands

/// bash(1), "Programmable Completion"; zsh uses the same function through its bashcompinit.
extension Completions {
    var bash: String {
        """
        # bash completion of kachat-node; made by `kachat-node completions bash`
        \(function)
        complete -o filenames -F _kachat_node kachat-node
        """
    }

    var zsh: String {
        """
        #compdef kachat-node
        # zsh completion of kachat-node; made by `kachat-node completions zsh`
        autoload -U +X bashcompinit && bashcompinit
        \(function)
        complete -o filenames -F _kachat_node kachat-node
        # Where the shell has loaded this for a completion, it is that one's turn.
        if (( ${+compstate} )); then _bash_complete -o filenames -F _kachat_node; fi
        """
    }

    /// Finds the command among the words so far, then completes the word at the cursor.
    private var function: String {
        """
        _kachat_node() {
            local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
            local command="" place=0 value="" word i
            COMPREPLY=()
            for ((i = 1; i < COMP_CWORD; i++)); do
                word="${COMP_WORDS[i]}"
                if [[ -n "$value" ]]; then value=""; continue; fi
                case "$word" in
                    -*)
                        case "$command $word" in
        \(lines(takingPatterns, indent: 20))
                        esac ;;
                    *)
                        case "$command $word" in
        \(lines(commandPatterns, indent: 20))
                            *) place=$((place + 1)) ;;
                        esac ;;
                esac
            done
            if [[ -n "$value" ]]; then
                case "$command $previous" in
        \(lines(valueCases, indent: 12))
                esac
                return 0
            fi
            if [[ "$current" == -* ]]; then
                case "$command" in
        \(lines(optionCases, indent: 12))
                    *) _kachat_node_words "\(words(CommandLineParser.global.map(\.name) + ["--version"]))" ;;
                esac
                return 0
            fi
            case "$command $place" in
        \(lines(placeCases, indent: 8))
            esac
            return 0
        }
        _kachat_node_words() { COMPREPLY=($(compgen -W "$1" -- "$current")); }
        _kachat_node_files() { COMPREPLY=($(compgen -f -- "$current")); }
        _kachat_node_folders() { COMPREPLY=($(compgen -d -- "$current")); }
        """
    }

    private func lines(_ lines: [String], indent: Int) -> String {
        lines.map { String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
    }

    private func words(_ words: [String]) -> String { words.joined(separator: " ") }

    /// An option with a value: a global one, also before the command's name, or one of a command.
    private func pattern(_ taking: Taking) -> String {
        taking.command.map { "\"\($0) \(taking.option)\"" } ?? "*\" \(taking.option)\""
    }

    private var takingPatterns: [String] { taking.map { "\(pattern($0))) value=1 ;;" } }

    /// A word that starts a longer command name, or is one.
    private var commandPatterns: [String] {
        firstWords.map { "\" \($0)\") command=\($0) ;;" }
            + commands.filter { $0.path.count == 2 }.map { spec in
                "\"\(spec.name)\") if ((place == 0)); then command=\"\(spec.name)\"; else place=$((place + 1)); fi ;;"
            }
    }

    private func completing(_ candidates: Candidates) -> String? {
        switch candidates {
        case .words(let words): "_kachat_node_words \"\(self.words(words))\""
        case .files: "_kachat_node_files"
        case .folders: "_kachat_node_folders"
        case .none: nil
        }
    }

    private var valueCases: [String] {
        taking.compactMap { taking in completing(taking.candidates).map { "\(pattern(taking))) \($0) ;;" } }
    }

    private var optionCases: [String] {
        commands.map { spec in "\"\(spec.name)\") _kachat_node_words \"\(words(options(of: spec)))\" ;;" }
    }

    /// Offers the second words of a family together with the arguments of the command of that single word.
    private var placeCases: [String] {
        var cases = ["\" 0\") _kachat_node_words \"\(words(firstWords))\" ;;"]
        for first in firstWords where !secondWords(after: first).isEmpty {
            cases.append("\"\(first) 0\") _kachat_node_words \"\(words(secondWords(after: first)))\" ;;")
        }
        for place in places {
            guard let completing = completing(place.candidates) else { continue }
            let number = place.isRepeatable ? "\"*" : "\(place.number)\""
            cases.append("\"\(place.command) \(number)) \(completing) ;;")
        }
        return cases
    }
}
