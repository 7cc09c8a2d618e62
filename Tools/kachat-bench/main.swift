import CommandLine
import Commands
import Glibc
import Node
import NodeBench

/// Not on the main actor, to which top-level code belongs: a worker's threads must not inherit it.
nonisolated func run(_ arguments: [String]) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    // It parses its own arguments, since it is also its own workers; the tool can only explain it.
    guard arguments.contains("--help") else { return Bench.run(arguments) }
    let tool = Tool(
        external: [LocalCommand(spec: Bench.spec) { _ in .done }], environment: .ofProcess(),
        output: .standardOutput(), errors: .standardError())
    return tool.run(["bench", "--help"]).rawValue
}

StandardDescriptors.holdClosed()
exit(run(Array(CommandLine.arguments.dropFirst())))
