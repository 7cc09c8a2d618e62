import NodeCore
import SyncState

/// `init`: makes the home, its identity and the account's zone.
enum InitCommand {
    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let name = context.command.text("--name") ?? HostName.current
        guard name.utf8.count <= Limits.deviceNameBytes, !name.unicodeScalars.contains(where: { $0.value < 0x20 })
        else {
            throw NodeError(.usage, "--name must be one line of at most \(Limits.deviceNameBytes) bytes")
        }
        // The phrase first: nothing is written where it is wrong.
        let given = try phraseFile(context)
        let home = try context.home()
        guard !home.hasIdentity else {
            throw NodeError(
                .alreadyInitialised, "\(home.path) already has an identity; choose another folder with --home DIR")
        }
        try home.create()
        let lock = try HomeLock(home)
        guard !home.hasIdentity else { throw NodeError(.alreadyInitialised, "\(home.path) already has an identity") }
        var random = SystemRandom()
        let entropy = given ?? Secret(random: &random, count: 32)
        let identity = Identity(
            deviceSecret: Secret(random: &random, count: 32), deviceName: name,
            accounts: [.init(label: "main", secret: .phrase(entropy: entropy), createdAt: context.clock.wall())])
        try IdentityFile.save(identity, to: home)
        let node = try Node(home: home, lock: lock, identity: identity, clock: context.clock)
        defer { node.close() }
        try show(node, newPhrase: given == nil ? entropy : nil, context)
        return .done
    }

    private static func phraseFile(_ context: ToolContext) throws(NodeError) -> Secret? {
        guard let path = context.command.text("--phrase-file") else { return nil }
        let text: String
        do {
            text = try Files.readText(path == "-" ? "/dev/stdin" : path, limit: Limits.phraseFileBytes)
        } catch {
            throw NodeError(.failed, "cannot read the phrase from \(path): \(error.reason)")
        }
        return try RecoveryPhrase.entropy(of: text)
    }

    private static func show(_ node: Node, newPhrase: Secret?, _ context: ToolContext) throws(NodeError) {
        let words = try newPhrase.map { entropy throws(NodeError) in try RecoveryPhrase.words(entropy: entropy) }
        let made = try node.account(named: nil)
        let device = made.zone.lane.hex
        let account = made.accountID.hex
        if context.command.isJSON {
            var fields: [String: JSONValue] = ["deviceId": .string(device), "accountId": .string(account)]
            if let words { fields["phrase"] = .string(words.joined(separator: " ")) }
            context.output.bufferedLine(JSONValue.object(fields).encoded)
            return
        }
        context.output.line(
            "account \(account)\ndevice  \(device) (\(node.identity.deviceName))\nhome    \(node.home.path)")
        if let words { context.output.line(explanation(words, context.program)) }
        context.output.line("\nNext: `\(context.program) run` keeps this device in sync with the others.")
    }

    private static func explanation(_ words: [String], _ program: String) -> String {
        let columns = 4
        let rows = (words.count + columns - 1) / columns
        var lines = ["", "The recovery phrase of your new account, \(words.count) words:", ""]
        for row in 0..<rows {
            let cells = stride(from: row, to: words.count, by: rows).map { index in
                let number = index + 1 < 10 ? " \(index + 1)" : "\(index + 1)"
                return "\(number) \(words[index])" + String(repeating: " ", count: max(1, 12 - words[index].count))
            }
            lines.append("  " + cells.joined())
        }
        lines += [
            "",
            "Write it down on paper and keep it safe: whoever has these words has the account and all its messages.",
            "Your other devices join with them (`kachat-node init --phrase-file F`). If all your devices are lost, the",
            "words bring the account back; nothing and nobody else can. `\(program) account phrase` shows them again.",
        ]
        return lines.joined(separator: "\n")
    }
}
