import CommandLine
import Glibc
import Node

/// Not on the main actor, to which top-level code belongs.
nonisolated func run(_ arguments: [String]) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    let tool = Tool(
        external: [SimulationCommand.external], environment: .ofProcess(), output: .standardOutput(),
        errors: .standardError())
    return tool.run(["sim"] + arguments).rawValue
}

StandardDescriptors.holdClosed()
exit(run(Array(CommandLine.arguments.dropFirst())))
