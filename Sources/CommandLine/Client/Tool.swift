package import Commands
package import Node
package import NodeCore

/// A command that another module carries out, such as the simulator's.
package struct ExternalCommand: Sendable {
    package let spec: CommandSpec
    package let run: @Sendable (_ context: ToolContext) throws(NodeError) -> ExitStatus

    package init(
        spec: CommandSpec, run: @escaping @Sendable (_ context: ToolContext) throws(NodeError) -> ExitStatus
    ) {
        self.spec = spec
        self.run = run
    }
}

/// What a command works with: its arguments, the process's surroundings, and where its words go.
package struct ToolContext {
    package let command: ParsedCommand
    package let environment: Environment
    package let output: Output
    package let errors: Output
    package let clock: any Clock
    /// Nil in programs without the local API.
    package let makeHTTPServer: HTTPServerMaker?
    /// Makes QR codes, where the program can.
    let qr: QREncoder
    /// The dashboard's files.
    var site: @Sendable () -> [SiteFile] = { [] }

    /// How the program is called for this home: what a message tells to run is about the same home.
    var program: String { Program(flag: command.home).text }

    /// The home that flag, environment and defaults name; it need not exist.
    package func home() throws(NodeError) -> HomeFolder {
        try HomeFolder.resolve(flag: command.home, environment: environment)
    }

    /// The same surroundings for another command.
    func with(_ command: ParsedCommand) -> ToolContext {
        ToolContext(
            command: command, environment: environment, output: output, errors: errors, clock: clock,
            makeHTTPServer: makeHTTPServer, qr: qr, site: site)
    }

    /// The command with the account that the environment names, where it takes one and was given none.
    var accountCommand: ParsedCommand {
        var command = command
        if command.spec.takesAccount, !command.has(OptionSpec.account.name),
            let name = environment[name: "KACHAT_ACCOUNT"]
        {
            command.values[OptionSpec.account.name] = [name]
        }
        return command
    }

    /// That home, for a command that needs an identity in it.
    func initialisedHome() throws(NodeError) -> HomeFolder {
        let home = try home()
        guard home.hasIdentity else {
            throw NodeError(.noIdentity, "there is no identity in \(home.path): run `\(program) init`")
        }
        return home
    }
}

/// The program `kachat-node`: understands its arguments and carries the command out.
package struct Tool {
    private let external: [ExternalCommand]
    private let environment: Environment
    private let output: Output
    private let errors: Output
    private let makeHTTPServer: HTTPServerMaker?
    private let qr: QREncoder
    private let site: @Sendable () -> [SiteFile]

    package init(
        external: [ExternalCommand], environment: Environment, output: Output, errors: Output,
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
    }

    /// Runs one command line (without the program's name) and gives the status to exit with.
    package func run(_ arguments: [String]) -> ExitStatus {
        let status = carryOut(arguments)
        output.flush()
        // An export onto a full disk is no backup.
        guard status == .done, let failure = output.failure else { return status }
        errors.complaint("cannot write the output: \(failure.reason)")
        return saysOnlyThatItIsDone(arguments) ? .done : .failed
    }

    /// Whether the lost output was no data: what the command did is durable, and stands.
    private func saysOnlyThatItIsDone(_ arguments: [String]) -> Bool {
        let parser = CommandLineParser(commands: Catalogue.commands + external.map(\.spec))
        guard let command = try? parser.parse(arguments), !command.isJSON, !command.wantsHelp else { return false }
        return Render.saysItIsDone(command.name) || ["backup", "restore"].contains(command.name)
            || command.has("--archive")
    }

    private func carryOut(_ arguments: [String]) -> ExitStatus {
        do throws(NodeError) {
            let parser = CommandLineParser(commands: Catalogue.commands + external.map(\.spec))
            let parsed = try parser.parse(arguments)
            if parsed.wantsHelp && parsed.name != "help" {
                output.line(Help.text(parsed.spec))
                return .done
            }
            do throws(NodeError) {
                return try run(parsed, parser.commands)
            } catch {
                throw error.advising(Program(flag: parsed.home))
            }
        } catch {
            errors.complaint(error.message)
            return error.exitStatus
        }
    }

    private func run(_ parsed: ParsedCommand, _ commands: [CommandSpec]) throws(NodeError) -> ExitStatus {
        let context = ToolContext(
            command: parsed, environment: environment, output: output, errors: errors, clock: SystemClock(),
            makeHTTPServer: makeHTTPServer, qr: qr, site: site)
        switch parsed.name {
        case "help": return try HelpCommand(commands: commands).run(context)
        case "completions": return try CompletionsCommand(commands: commands).run(context)
        case "version": return VersionCommand.run(context)
        case "init": return try InitCommand.run(context)
        case "setup": return try SetupCommand.run(context)
        case "account phrase": return try AccountPhraseCommand.run(context)
        case "backup": return try BackupCommand.run(context)
        case "restore": return try RestoreCommand.run(context)
        case "group inspect", "group narrow": return try TokenCommand.run(context)
        case "run": return try RunCommand.run(context)
        case "doctor": return try DoctorCommand.run(context)
        case "config check": return try ConfigCheckCommand.run(context)
        case _ where PairCommand.isMeant(parsed): return try PairCommand.run(context)
        case "dashboard": return try DashboardCommand.run(context)
        default:
            if let command = external.first(where: { $0.spec.name == parsed.name }) { return try command.run(context) }
            if parsed.name == "export", let path = parsed.text("--archive") {
                return try ArchiveExport.run(path, context)
            }
            return try NodeCommand.run(context)
        }
    }
}
