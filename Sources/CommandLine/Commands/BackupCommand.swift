import Commands
import Glibc
import Node
import NodeCore
import NodeModel

/// `backup FILE`: the node copies its stores to a folder beside the file, and this process makes the file of them.
enum BackupCommand {
    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let command = context.command
        let home = try context.initialisedHome()
        let path = Files.absolute(command.text("FILE") ?? "")
        CopiesFolder.removeLeftBehind(beside: path)
        let container = try ContainerWriter(path: path, kind: .backup, replaces: command.has("--force"))
        let folder: CopiesFolder
        do {
            folder = try CopiesFolder(beside: path)
        } catch {
            throw ContainerWriter.notWritten(error.subject, error)
        }
        defer { folder.remove() }
        var stores: [CopiedStore] = []
        let status = try withStores(home, folder.path, context) { stores.append($0) }
        guard status == .done else { return status }
        let progress = ProgressLine(context)
        let all = stores.reduce(0) { $0 + Files.sizeBytes($1.file) }
        var packed = 0
        var content = BackupContent(of: home, stores, hasKeys: !command.has("--without-keys"), at: context.clock.wall())
        while let added = try container.write({ encoder throws(NodeError) in try content.addNext(to: encoder) }) {
            packed += added
            progress?.show(packed, of: all, "packed")
        }
        progress?.clear()
        show(content.fields, path, try container.finish(content.fields), context)
        // The backup is complete even if the home cannot be written.
        do throws(NodeError) {
            try CareFile.note(backupAt: context.clock.wall(), in: home)
        } catch {
            context.errors.complaint("the backup is complete, but `status` will not know of it: \(error.message)")
        }
        return .done
    }

    private static func withStores(
        _ home: HomeFolder, _ folder: String, _ context: ToolContext, _ take: (CopiedStore) -> Void
    ) throws(NodeError) -> ExitStatus {
        let request = Invocation(command: "backup", arguments: ["FOLDER": [folder]])
        let progress = ProgressLine(context)
        return try withoutActuallyEscaping(take) { take throws(NodeError) in
            try NodeCommand.exchange(request, input: nil, home, context) { client in
                client.take = { line throws(NodeError) in
                    if let store = try? CopiedStore(json: line) { take(store) }
                }
                client.showProgress(context.command, progress)
            }
        }
    }

    private static func show(_ fields: [String: JSONValue], _ path: String, _ bytes: Int, _ context: ToolContext) {
        let hasKeys = !context.command.has("--without-keys")
        if context.command.isJSON {
            var fields = fields
            fields["file"] = .string(path)
            fields["bytes"] = .number(bytes)
            fields["hasKeys"] = .bool(hasKeys)
            return context.output.bufferedLine(JSONValue.object(fields).encoded)
        }
        guard !context.command.isQuiet else { return }
        let accounts = fields["accounts"]?.elements ?? []
        let messages = accounts.reduce(0) { $0 + ($1["messages"]?.integer ?? 0) }
        let groups = fields["groups"]?.elements.count ?? 0
        let what = Wording.count(accounts.count, "account") + (groups == 0 ? "" : ", \(Wording.count(groups, "group"))")
        context.output.line("\(what), \(Wording.count(Int(messages), "message")) in \(path), \(Wording.bytes(bytes)).")
        context.output.line(
            hasKeys
                ? "It contains the keys of this device: anyone who has it can read and write what this device could. "
                    + "Keep it safe. No recovery phrase is in it."
                : "It contains no keys: `restore` also needs the recovery phrases (--phrase-file).")
    }
}
