import CommandLine
import Commands
import Glibc
import Node

/// A tool for those who work on the node: it is built beside the program, and no installation carries it.
struct Companion {
    /// What the help lists.
    static let commands = [
        command("sim", "Run whole nodes in virtual time under faults, from one seed, and check what must hold"),
        command("bench", "Measure this program beside the limits of this machine"),
    ]

    private let name: String
    private let arguments: [String]

    /// Nil where the arguments name none.
    init?(_ arguments: [String]) {
        guard let name = arguments.first, Self.commands.contains(where: { $0.spec.name == name }) else { return nil }
        self.name = name
        self.arguments = Array(arguments.dropFirst())
    }

    /// Becomes the tool; returns the exit status where there is none.
    func run() -> Int32 {
        let tool = "kachat-\(name)"
        if let folder = Files.programFolder {
            let path = folder + "/" + tool
            var pointers = ([path] + arguments).map { strdup($0) } + [nil]
            execv(path, &pointers)
        }
        Output.standardError().complaint(
            "\(tool) is not here: it comes with the source, where `make` builds it beside kachat-node")
        return ExitStatus.failed.rawValue
    }

    private static func command(_ name: String, _ summary: String) -> LocalCommand {
        LocalCommand(spec: CommandSpec(name, summary: summary, examples: ["kachat-node \(name) --help"])) { _ in
            .done
        }
    }
}
