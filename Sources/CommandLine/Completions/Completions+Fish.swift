import Commands

/// fish(1), `complete`: one line per candidate, with its condition.
extension Completions {
    var fish: String {
        var lines = [
            "# fish completion of kachat-node; made by `kachat-node completions fish`",
            "function __kachat_node_plain --description 'the words before the cursor that are no options'",
            "    set -l words (commandline -opc)",
            "    set -l skip no",
            "    for word in $words[2..-1]",
            "        if test $skip = yes",
            "            set skip no",
            "            continue",
            "        end",
            "        switch $word",
            "            case --home",
            "                set skip yes",
            "            case '-*'",
            "            case '*'",
            "                echo $word",
            "        end",
            "    end",
            "end",
            "function __kachat_node_only --description 'whether they are these, and no more'",
            "    set -l plain (__kachat_node_plain)",
            "    test \"$plain\" = \"$argv\"",
            "end",
            "function __kachat_node_at --description 'whether they begin with these'",
            "    set -l plain (__kachat_node_plain)",
            "    test (count $plain) -ge (count $argv); and test \"$plain[1..\"(count $argv)\"]\" = \"$argv\"",
            "end",
            "complete -c kachat-node -f",
        ]
        for option in CommandLineParser.global { lines.append(line(option, of: nil)) }
        for first in firstWords {
            let summary = commands.first { $0.path == [first] }?.summary ?? ""
            lines.append("complete -c kachat-node -n '__kachat_node_only' -a \(first)" + described(summary))
        }
        for spec in commands {
            if spec.path.count == 2 {
                lines.append(
                    "complete -c kachat-node -n '__kachat_node_only \(spec.path[0])' -a \(spec.path[1])"
                        + described(spec.summary))
            }
            for option in spec.options { lines.append(line(option, of: spec.name)) }
        }
        for place in places {
            lines.append("complete -c kachat-node -n '__kachat_node_at \(place.command)'\(arguments(place.candidates))")
        }
        return lines.joined(separator: "\n")
    }

    private func line(_ option: ParameterSpec, of command: String?) -> String {
        let taken = taking.first { $0.option == option.name && $0.command == command }
        return "complete -c kachat-node" + (command.map { " -n '__kachat_node_at \($0)'" } ?? "")
            + " -l \(option.name.dropFirst(2))" + (taken.map { " -x" + arguments($0.candidates) } ?? "")
            + described(option.help)
    }

    private func arguments(_ candidates: Candidates) -> String {
        switch candidates {
        case .words(let words): " -a '\(words.joined(separator: " "))'"
        case .files: " -a '(__fish_complete_path)'"
        case .folders: " -a '(__fish_complete_directories)'"
        case .none: ""
        }
    }

    private func described(_ text: String) -> String {
        text.isEmpty ? "" : " -d '" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
