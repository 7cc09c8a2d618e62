package import Commands
package import Node
import NodeCore

/// The program `kachat-node`: parses its arguments and runs the command.
package struct Tool {
    private let external: [LocalCommand]
    private let environment: Environment
    private let output: Output
    private let errors: Output
    private let makeHTTPServer: HTTPServerMaker?
    private let qr: QREncoder
    private let site: @Sendable () -> [SiteFile]

    package init(
        external: [LocalCommand], environment: Environment, output: Output, errors: Output,
        makeHTTPServer: HTTPServerMaker? = nil, qr: @escaping QREncoder = { _ in nil },
        site: @escaping @Sendable () -> [SiteFile] = { [] }
    ) {
        self.site = site
        self.makeHTTPServer = makeHTTPServer
        self.qr = qr
        self.external = external
        self.environment = environment
        self.output = output
        self.errors = errors
        output.heed(environment)
        errors.heed(environment)
    }

    /// Runs one command line (without the program's name) and returns the exit status.
    package func run(_ arguments: [String]) -> ExitStatus {
        let status = carryOut(arguments)
        output.flush()
        // An export onto a full disk is no backup.
        guard status == .done, let failure = output.failure else { return status }
        errors.failure("cannot write the output: \(failure.reason)")
        return saysOnlyThatItIsDone(arguments) ? .done : .failed
    }

    /// True if only a confirmation was lost: the command's effect is durable, so the command succeeded.
    private func saysOnlyThatItIsDone(_ arguments: [String]) -> Bool {
        let parser = CommandLineParser(commands: commands)
        guard let command = try? parser.parse(arguments), !command.isJSON, !command.wantsHelp else { return false }
        let asked = try? CommandRequest(Invocation(command))
        return asked?.answer.saysItIsDone == true || ["backup", "restore", "account confirm"].contains(command.name)
            || command.has("--archive")
    }

    private func carryOut(_ arguments: [String]) -> ExitStatus {
        if arguments.first == Completions.request {
            return CompletionsCommand.answer(arguments.dropFirst(), commands, output)
        }
        do throws(NodeError) {
            let parser = CommandLineParser(commands: commands)
            let parsed = try parser.parse(arguments)
            if !parsed.isNamed, !parsed.wantsHelp { return try Welcome.run(context(parsed, parser.commands)) }
            if parsed.wantsHelp && parsed.name != "help" {
                output.line(Help.text(parsed.spec, columns: output.isTerminal ? output.columns : .max))
                return .done
            }
            do throws(NodeError) {
                return try run(parsed, parser.commands)
            } catch {
                throw error.advising(Program(flag: parsed.home))
            }
        } catch {
            errors.failure(error.message)
            return error.exitStatus
        }
    }

    private func context(_ parsed: ParsedCommand, _ commands: [CommandSpec]) -> ToolContext {
        output.program = Program(flag: parsed.home)
        return ToolContext(
            command: parsed, commands: commands, environment: environment, output: output, errors: errors,
            clock: SystemClock(), makeHTTPServer: makeHTTPServer, qr: qr, site: site)
    }

    private func run(_ parsed: ParsedCommand, _ commands: [CommandSpec]) throws(NodeError) -> ExitStatus {
        let context = context(parsed, commands)
        if let local = local.first(where: { $0.spec.name == parsed.name }) { return try local.run(context) }
        switch parsed.name {
        // This process makes a file or a page of the node's answer.
        case "backup": return try BackupCommand.run(context)
        // The node takes only what the user typed.
        case "account confirm": return try AccountConfirmCommand.run(context)
        case "account renew": return try AccountConfirmCommand.renew(context)
        case "doctor": return try DoctorCommand.run(context)
        case "dashboard": return try DashboardCommand.run(context)
        case _ where PairCommand.isMeant(parsed): return try PairCommand.run(context)
        case "export":
            guard let path = parsed.text("--archive") else { return try NodeCommand.run(context) }
            return try ArchiveExport.run(path, context)
        default: return try NodeCommand.run(context)
        }
    }

    private var local: [LocalCommand] { LocalCommand.making + LocalCommand.others + LocalCommand.program + external }

    private var commands: [CommandSpec] { Self.commands + external.map(\.spec) }

    /// In the order of the help.
    static let commands: [CommandSpec] =
        LocalCommand.making.map(\.spec) + Command.all.map(\.spec)
        + (LocalCommand.others + LocalCommand.program).map(\.spec).filter { Command.named($0.name) == nil }
}
