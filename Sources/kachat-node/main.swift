import Glibc
import LocalAPI
import NodeBench
import NodeRuntime

/// Outside of the main actor, which top-level code belongs to: what the node starts here must not inherit it.
nonisolated func run(_ arguments: [String]) -> Int32 {
    // A pager that was left or a peer that went away is an error of write(2), not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // Reads its own arguments, since it is also its own workers; the tool only knows how to explain it.
    if arguments.first == "bench", !arguments.contains("--help") { return Bench.run(Array(arguments.dropFirst())) }
    let tool = Tool(
        external: [SimulationCommand.external, ExternalCommand(spec: Bench.spec) { _ in .done }],
        environment: .ofProcess(), output: .standardOutput(), errors: .standardError(),
        makeHTTPServer: { loop, responder throws(NodeError) in
            try MicrohttpdServer(loop: loop, responder: responder)
        },
        qr: QREncoding.matrix, site: DashboardFiles.all)
    return tool.run(arguments).rawValue
}

StandardDescriptors.holdClosed()
exit(run(Array(CommandLine.arguments.dropFirst())))
