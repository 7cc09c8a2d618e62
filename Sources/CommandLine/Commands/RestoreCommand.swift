import Commands
import Node
import NodeCore

/// `restore FILE`: creates a home from a backup. It checks the whole file before it writes anything.
enum RestoreCommand {
    static let spec = CommandSpec(
        "restore", summary: "Restore a backup to a new home, as a new device of the same accounts",
        examples: ["phone.backup --home new", "phone.backup --phrase-file phrases.txt --name tablet"],
        parameters: [
            ParameterSpec("FILE", .text("FILE")),
            ParameterSpec(
                "--phrase-file", .text("F"),
                help: "phrases for a backup without keys, one per line; - is standard input"),
            ParameterSpec(
                "--name", .line("N", bytes: Node.Limits.deviceNameBytes),
                help: "this device's name on your other devices"),
        ])

    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let command = context.command
        let home = try context.home()
        try HomeRestore.refuseTaken(home)
        let name = try command.text("--name").map { name throws(NodeError) in try NewHome.checked(name: name) }
        let reader = try ContainerReader(path: command.text("FILE") ?? "", kind: .backup)
        let progress = ProgressLine(context)
        // The file is read twice: checked, then written.
        var read = 0
        reader.whenRead = { bytes in
            read += bytes
            progress?.show(read, of: 2 * reader.bytes, read > reader.bytes ? "restored" : "checked")
        }
        let damaged = reader.damagedParts()
        guard damaged.isEmpty else {
            let names = damaged.map { "`\($0.name)`" }.joined(separator: ", ")
            throw NodeError(.damaged, "\(reader.path) is damaged in \(names): nothing was restored")
        }
        var backup = try BackupIdentity(reader, phrases: try phrases(for: reader, context))
        if let name { backup.identity.deviceName = name }
        let node = try HomeRestore.run(reader, backup, to: home, clock: context.clock)
        defer { node.close() }
        progress?.clear()
        try show(node, isNamesake: name == nil && reader.keys != nil, context)
        return .done
    }

    private static func phrases(
        for reader: ContainerReader, _ context: ToolContext
    ) throws(NodeError) -> (text: String, path: String)? {
        switch (context.command.text("--phrase-file"), reader.keys) {
        case (nil, _?): return nil
        case (let path?, nil): return (try AccountSecretOptions.text(of: path, context), path)
        case (nil, nil):
            throw NodeError(
                .usage, "\(reader.path) contains no keys: give the accounts' recovery phrases with --phrase-file F")
        case (_?, _?):
            throw NodeError(.usage, "\(reader.path) contains the keys: restore it without --phrase-file")
        }
    }

    /// - Parameter isNamesake: the device has the name of the one that made the backup.
    private static func show(_ node: LocalNode, isNamesake: Bool, _ context: ToolContext) throws(NodeError) {
        var accounts: [(account: NodeAccount, messages: Int)] = []
        do {
            for account in node.accounts { accounts.append((account, try account.messageCount())) }
        } catch {
            throw NodeError(cause: error)
        }
        let answer: JSONValue = [
            "home": .string(node.home.path), "name": .string(node.identity.deviceName),
            "accounts": .array(
                accounts.map { account, messages in
                    [
                        "accountId": .string(account.accountID.hex), "label": .string(account.label),
                        "deviceId": .string(account.lane.hex), "messages": .number(messages),
                    ]
                }),
        ]
        context.show(answer) {
            let output = context.output
            for (account, messages) in accounts {
                output.line(
                    "account \(account.accountID.hex): \(Wording.count(messages, "message")); this device is now "
                        + "\(account.lane.hex.prefix(16))")
            }
            if isNamesake {
                let name = Terminal.harmless(node.identity.deviceName)
                output.line(
                    "It is called \(name), like the device that made the backup: "
                        + "`\(context.program) device rename NAME` gives it another name.")
            }
            output.line("\nNext: `\(context.program) run` fetches everything newer from the other devices.")
        }
    }
}
