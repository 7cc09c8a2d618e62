import CommandLine
import Glibc
import Node

/// Outside of the main actor, which top-level code belongs to.
nonisolated func run(_ arguments: [String]) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    let tool = Tool(
        external: [SimulationCommand.external], environment: .ofProcess(), output: .standardOutput(),
        errors: .standardError())
    return tool.run(["sim"] + arguments).rawValue
}

StandardDescriptors.holdClosed()
exit(run(Array(CommandLine.arguments.dropFirst())))
