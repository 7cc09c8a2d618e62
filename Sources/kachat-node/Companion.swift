import CommandLine
import Commands
import Glibc
import Node

/// A tool for developers of the node: it is built beside the program and not part of any installation.
struct Companion {
    /// The entries in the help.
    static let commands = [
        command("sim", "Run whole nodes in virtual time under faults, from one seed, and check the invariants"),
        command("bench", "Measure this program against the limits of this machine"),
    ]

    private let name: String
    private let arguments: [String]

    /// Nil if the arguments name no tool.
    init?(_ arguments: [String]) {
        guard let name = arguments.first, Self.commands.contains(where: { $0.spec.name == name }) else { return nil }
        self.name = name
        self.arguments = Array(arguments.dropFirst())
    }

    /// Replaces this process by the tool; returns an exit status only if it is missing.
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
        LocalCommand(spec: CommandSpec(name, summary: summary, examples: ["--help"])) { _ in
            .done
        }
    }
}
