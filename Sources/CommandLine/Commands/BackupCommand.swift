import Commands
import Glibc
import Node
import NodeCore
import NodeModel

/// `backup FILE`: the node copies its stores to a folder beside the file. This process writes the copies, the identity
/// and the settings into the file.
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
        if !command.has("--without-keys") {
            // A copy outlives the phrase, which no device is to keep.
            var bytes = try IdentityFile.load(from: home).withoutPersons.encoded()
            defer { wipe(&bytes) }
            try add(.identity, "identity", bytes, to: container)
        }
        if Files.exists(home.settingsPath) {
            try add(.settings, "config.json", home.settingsPath, limit: Node.Limits.settingsFileBytes, to: container)
        }
        for name in LeftScores.files(home) {
            try add(.results, name, home.leftScoresPath + "/" + name, limit: Node.Limits.leftScoresBytes, to: container)
        }
        let progress = ProgressLine(context)
        let all = stores.reduce(0) { $0 + Files.sizeBytes($1.file) }
        var packed = 0
        for store in stores {
            try addStore(store, to: container) { bytes in
                packed += bytes
                progress?.show(packed, of: all, "packed")
            }
        }
        progress?.clear()
        let (groups, accounts) = (stores.filter { $0.groupId != nil }, stores.filter { $0.groupId == nil })
        let fields: [String: JSONValue] = [
            "createdAt": .number(context.clock.wall().milliseconds), "accounts": .array(accounts.map(described)),
            "groups": .array(groups.map(described)),
        ]
        let bytes = try container.finish(fields)
        show(fields, path, bytes, context)
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
                if context.command.isQuiet {
                    client.progress = nil
                } else if context.command.isJSON {
                    client.progress = { value, errors in errors.line(String(decoding: value.encoded, as: UTF8.self)) }
                } else if let progress {
                    client.progress = { value, _ in progress.show(value) }
                }
            }
        }
    }

    /// The manifest's entry for an account or a group.
    private static func described(_ store: CopiedStore) -> JSONValue {
        var fields = store.jsonFields
        fields["store"] = .string(name(of: store))
        fields["file"] = nil
        return .object(fields)
    }

    private static func name(of store: CopiedStore) -> String {
        String(store.file.split(separator: "/").last ?? "")
    }

    private static func add(
        _ kind: ContainerPart.Kind, _ name: String, _ path: String, limit: Int, to container: ContainerWriter
    ) throws(NodeError) {
        let bytes: [UInt8]
        do {
            bytes = try FileDescriptor(path: path, flags: O_RDONLY).readAll(limit: limit)
        } catch {
            throw NodeError(.failed, "cannot read \(path): \(error.reason)")
        }
        try add(kind, name, bytes, to: container)
    }

    private static func add(
        _ kind: ContainerPart.Kind, _ name: String, _ bytes: [UInt8], to container: ContainerWriter
    ) throws(NodeError) {
        container.begin(kind, name: name)
        try container.add(bytes)
        try container.end()
    }

    /// Adds a copied store and deletes the copy.
    private static func addStore(
        _ store: CopiedStore, to container: ContainerWriter, added: (_ bytes: Int) -> Void
    ) throws(NodeError) {
        let path = store.file
        container.begin(.database, name: name(of: store))
        do {
            let file = try FileDescriptor(path: path, flags: O_RDONLY)
            var offset = 0
            while true {
                let bytes = try file.read(at: offset, count: Commands.Limits.containerReadBytes)
                if bytes.isEmpty { break }
                try container.add(bytes)
                offset += bytes.count
                added(bytes.count)
            }
        } catch let error as FileError {
            throw NodeError(.failed, "cannot read the copy \(path): \(error.reason)")
        } catch let error as NodeError {
            throw error
        } catch {
            preconditionFailure("invariant: only the two errors above are thrown")
        }
        try container.end()
        unlink(path)
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
        let what =
            Wording.count(accounts.count, "account") + (groups == 0 ? "" : ", \(Wording.count(groups, "group"))")
        context.output.line("\(what), \(Wording.count(Int(messages), "message")) in \(path), \(Render.size(bytes)).")
        context.output.line(
            hasKeys
                ? "It contains the keys of this device: anyone who has it can read and write what this device could. "
                    + "Keep it safe. No recovery phrase is in it."
                : "It contains no keys: `restore` also needs the recovery phrases (--phrase-file).")
    }
}
