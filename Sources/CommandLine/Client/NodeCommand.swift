import Commands
import Glibc
import Node
import NodeCore
import NodeModel

/// A command on the node's data. It runs through the running node's socket or, if no node runs and the command needs
/// none, in this process under the home's lock.
enum NodeCommand {
    private static func needsNode(_ command: ParsedCommand) -> Bool {
        // Without a running node nothing changes, since the command holds the home's lock.
        Command.named(command.name)?.needsRunningNode == true || command.has("--watch") || command.has("--follow")
            || command.name == Command.changes.name && command.has("--wait")
    }

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        guard context.command.name == "account remove", !context.command.isJSON, context.errors.isTerminal,
            isatty(STDIN_FILENO) == 1
        else { return try carryOut(context) }
        var isListed = false
        let status = try carryOut(context, asksAnyway: true) {
            isListed = isListed || $0["removed"]?.boolean == false
        }
        // The node has already listed what would be removed.
        guard isListed else { return status }
        context.errors.raw("Remove it? Type `yes`: ")
        guard readLine() == "yes" else {
            context.errors.line("nothing removed")
            return status
        }
        var confirmed = context.command
        confirmed.values["--yes"] = [""]
        return try carryOut(context.with(confirmed))
    }

    private static let expectedImport =
        "import takes an archive, or a file with one message a line, as JSON: `kachat-node export` writes both"

    /// - Parameters:
    ///   - asksAnyway: the user is asked next, so that it is no error that nothing was confirmed.
    ///   - hears: also receives each datum of the answer.
    private static func carryOut(
        _ asked: ToolContext, asksAnyway: Bool = false, hears: ((JSONValue) -> Void)? = nil
    ) throws(NodeError) -> ExitStatus {
        let takesPhrase = AccountSecretOptions.areTaken(by: asked.command)
        let context = takesPhrase ? asked.with(try AccountSecretOptions.completed(asked.command)) : asked
        let command = context.command
        let home = try context.home()
        if let question = Command.named(command.name)?.question { try Confirmation.ask(context, question) }
        if takesPhrase, let path = try AccountSecretOptions.path(in: command) {
            AccountSecretOptions.warnIfExposed(path, context)
        }
        let qr = try QRFile(context)
        var request = Invocation(context.accountCommand)
        request.arguments["--qr"] = nil
        request.arguments["--exec"] = nil
        if qr != nil { request.arguments["--force"] = nil }
        if command.text("--share-text") == "-" { request.arguments["--share-text"] = [try sharedText()] }
        let archive = try openArchive(command)
        // Plain lines name no account, so there is nothing to override.
        if archive == nil, command.name == "import" { request.arguments["--force"] = nil }
        // The node checks the archive's account; this process reads the file.
        if let archive { request.arguments["archive account"] = [archive.accountID ?? ArchiveLines.noAccount] }
        let asked = try CommandRequest(request)
        let progress = ProgressLine(context)
        let set: (inout CommandClient) -> Void = { client in
            if !command.isJSON { (client.render, client.table) = (asked.answer.shows, asked.answer.table) }
            if command.has("--watch"), !command.isJSON { client.render = Render.watch() }
            if !command.isJSON {
                client.namedRefusals = Limits.namedRefusals
                if command.name == "import" { client.expected = Self.expectedImport }
            }
            if command.isQuiet, !command.isJSON, asked.answer.saysItIsDone { client.render = { _, _ in } }
            if command.has("--csv") {
                client.render = { value, output in
                    if let history = try? LeaderboardHistory(json: value) { BoardText.csv(history, output) }
                }
            }
            if command.name == "group create", !command.isJSON { client.render = Render.founded(context) }
            if command.name == "group invite", !command.isJSON { client.render = Render.invitation(context) }
            if command.name == "token create", !command.isJSON { client.render = Render.token(context) }
            client.also = hears
            client.asksAnyway = asksAnyway
            qr?.attach(to: &client)
            if let hook = command.text("--exec") { client.also = NoticeHook(command: hook, errors: context.errors).run }
            client.showProgress(command, progress)
        }
        if command.name == "device remove", AccountSecretOptions.asks(context) {
            let status = try find(context, home)
            guard status == .done else { return status }
        }
        let status = try AccountSecretOptions.asking(context) { () throws(NodeError) in
            try exchange(
                request, input: try openInput(command, asked.body, archive, progress?.meter), home, context, set: set)
        }
        guard status == .done, let leftOut = archive?.leftOut else { return status }
        context.errors.complaint("left out, since they are damaged: \(leftOut)")
        return .failed
    }

    /// Looks for the device first: nobody should type twelve words for one that does not exist.
    ///
    /// - Returns: the status of an error, which is shown.
    private static func find(_ context: ToolContext, _ home: HomeFolder) throws(NodeError) -> ExitStatus {
        let known = Invocation(context.accountCommand).arguments.filter {
            ["DEVICE", ParameterSpec.account.name].contains($0.key)
        }
        let request = Invocation(command: "device show", arguments: known)
        return try exchange(request, input: nil, home, context) { client in client.take = { _ in } }
    }

    /// Sends a request and handles the answer with the client that `set` configures.
    static func exchange(
        _ request: Invocation, input: consuming CommandInput?, _ home: HomeFolder, _ context: ToolContext,
        set: (inout CommandClient) -> Void
    ) throws(NodeError) -> ExitStatus {
        let (link, node) = try reach(home, context)
        defer { node?.close() }
        var client = CommandClient(link: link, output: context.output, errors: context.errors)
        set(&client)
        return try client.run(request, input: input)
    }

    /// The archive of an import, verified before any line is sent; nil if plain lines are imported.
    private static func openArchive(_ command: ParsedCommand) throws(NodeError) -> ArchiveLines? {
        guard command.name == "import", let path = command.text("FILE"), path != "-", ContainerReader.isContainer(path)
        else { return nil }
        return try ArchiveLines(path: path, takesWholeParts: command.has("--partial"))
    }

    private static func sharedText() throws(NodeError) -> String {
        do {
            return try Files.readText("/dev/stdin", limit: Limits.argumentBytes)
        } catch {
            throw NodeError(.failed, "cannot read the standard input: \(error.reason)")
        }
    }

    /// The input of the command, if it takes one.
    private static func openInput(
        _ command: ParsedCommand, _ body: CommandRequest.Body, _ archive: ArchiveLines?,
        _ meter: InputMeter?
    ) throws(NodeError) -> CommandInput? {
        switch body {
        case .none, .fields: return nil
        case .document, .lines: break
        }
        if AccountSecretOptions.areTaken(by: command), let path = try AccountSecretOptions.path(in: command) {
            return try CommandInput(path: path)
        }
        return try CommandInput(path: command.text("FILE") ?? "-", archive: archive, meter: meter)
    }

    private static func reach(
        _ home: HomeFolder, _ context: ToolContext
    ) throws(NodeError) -> (any CommandLink, LocalNode?) {
        let path = HomeSocketPath.find(home)
        let until = context.clock.now() + .milliseconds(Limits.nodeStartMilliseconds)
        let begin = context.clock.now() + .milliseconds(Limits.nodeBeginMilliseconds)
        while true {
            if let link = try SocketLink(path: path) { return (link, nil) }
            // A running node is asked even if its identity file is missing: it reports that itself.
            _ = try context.initialisedHome()
            if needsNode(context.command) {
                // A node that has just started holds the lock and serves soon. A command that waits anyway may ask a
                // moment after `run &`, when the node does not hold it yet.
                let now = context.clock.now()
                if now < until && HomeLock.hasHolder(home) || now < begin && context.command.has("--wait") {
                    usleep(20_000)
                    continue
                }
                throw NodeError(.notReachable, "no node is running on \(home.path): run `\(context.program) run`")
            }
            do {
                let node = try LocalNode(home: home, clock: context.clock, environment: context.environment)
                return (LocalLink(try NodeService(node)), node)
            } catch {
                guard error.code == .homeInUse, context.clock.now() < until else { throw error }
                // The holder is starting or stopping; either ends soon.
                usleep(20_000)
            }
        }
    }
}
