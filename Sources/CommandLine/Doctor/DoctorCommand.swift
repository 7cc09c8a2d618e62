import Commands
import Node
import NodeCore
import NodeModel
import Transport

/// `doctor`: checks everything a node needs. This process examines the home and the machine. The running node examines
/// the stores and devices; if none runs, this process opens the stores itself.
enum DoctorCommand {
    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let home = try context.home()
        let examination = HomeExamination(home: home, environment: context.environment, clock: context.clock)
        var checks = examination.checks
        let told = tellings(home, context, after: checks)
        checks += told
        let isDamaged = told.contains { $0.name == "store" && $0.state == .failure }
        checks += [examination.backup(isDamaged: isDamaged)].compactMap(\.self)
        let node = told.first { $0.name == "node" }
        if let listen = node?.details.listen { checks.append(PortProbe.check(listen)) }
        let mode = try mode(of: node, context, home)
        checks += InterfaceProbe(mode: mode, clock: context.clock).checks()
        checks += MachineFacts.gathered().checks
        context.show(Examination(checks, isRunning: node?.details.running == true).json) {
            Render.doctor(checks, context.output)
        }
        return checks.contains { $0.state == .failure } ? .failed : .done
    }

    /// The discovery mode of the running node, or else the one that a node of this home would use.
    private static func mode(
        of node: Check?, _ context: ToolContext, _ home: HomeFolder
    ) throws(NodeError) -> DiscoveryMode {
        if let told = node?.details.discovery { return try DiscoveryMode(told) }
        let settings = try? SettingsFile.load(from: home, environment: context.environment)
        return try DiscoveryMode(context.command, else: settings?.value(.networkDiscovery).text)
    }

    /// The node's checks of itself, its stores and its peers.
    private static func tellings(_ home: HomeFolder, _ context: ToolContext, after found: [Check]) -> [Check] {
        var told: [Check] = []
        do {
            let request = Invocation(command: "doctor", arguments: [:])
            _ = try NodeCommand.exchange(request, input: nil, home, context) { client in
                client.take = { line throws(NodeError) in
                    if let check = try? Check(json: line) { told.append(check) }
                }
            }
        } catch {
            // An unreadable identity or settings file is already reported.
            guard !found.contains(where: { $0.state == .failure }) else { return told }
            told.append(Check("node", .failure, error.message))
        }
        return told
    }
}
