import CommandLine
import Commands
import Glibc
import LocalAPI
import Node

/// Not on the main actor, unlike top-level code: the threads that the node starts here must not inherit it.
nonisolated func run(_ arguments: [String]) -> Int32 {
    // A closed pager or a vanished peer is an error of write(2), and must not end the process.
    signal(SIGPIPE, SIG_IGN)
    if let companion = Companion(arguments) { return companion.run() }
    let tool = Tool(
        external: Companion.commands,
        environment: .ofProcess(), output: .standardOutput(), errors: .standardError(),
        makeHTTPServer: { loop, api throws(NodeError) in try MicrohttpdServer(loop: loop, api: api) },
        qr: QREncoding.matrix, site: DashboardFiles.all)
    return tool.run(arguments).rawValue
}

StandardDescriptors.holdClosed()
ProcessMemory.keepToItself()
exit(run(Array(CommandLine.arguments.dropFirst())))
