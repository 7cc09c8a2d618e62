import CommandLine
import Commands
import Glibc
import Node
import NodeBench

/// Outside of the main actor, which top-level code belongs to: what a worker starts here must not inherit it.
nonisolated func run(_ arguments: [String]) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    // It reads its own arguments, since it is also its own workers; the tool only knows how to explain it.
    guard arguments.contains("--help") else { return Bench.run(arguments) }
    let tool = Tool(
        external: [ExternalCommand(spec: Bench.spec) { _ in .done }], environment: .ofProcess(),
        output: .standardOutput(), errors: .standardError())
    return tool.run(["bench", "--help"]).rawValue
}

StandardDescriptors.holdClosed()
exit(run(Array(CommandLine.arguments.dropFirst())))
