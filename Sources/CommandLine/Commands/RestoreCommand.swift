import Chat
import Commands
import Glibc
import Node
import NodeCore
import SyncState

/// `restore FILE`: creates a home from a backup. It checks the whole file before it writes anything, and writes the
/// identity last, so a restore that was killed can be repeated.
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
        let taken = NodeError(
            .alreadyInitialised,
            "\(home.path) already has an identity: restore to a new home (--home DIR)")
        guard !home.hasIdentity else { throw taken }
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
        let backup = try BackupIdentity(reader, context)
        var identity = backup.identity
        identity.deviceName = name ?? identity.deviceName
        try home.create()
        let lock = try HomeLock(home)
        guard !home.hasIdentity else { throw taken }
        let unfinished = UnfinishedRestore(home: home)
        unfinished.discard()
        guard !Files.names(in: home.zonesPath).contains(where: { HomeFolder.isDatabase($0) }) else {
            throw NodeError(.exists, "\(home.zonesPath) already has stores: restore to a new home (--home DIR)")
        }
        var node: LocalNode?
        defer { node?.close() }
        do throws(NodeError) {
            try unfinished.begin(identity)
            try writeFiles(reader, identity, home)
            progress?.clear()
            let opened = try LocalNode(
                home: home, lock: lock, identity: identity, signers: backup.signers, clock: context.clock)
            node = opened
            if let unopened = opened.unopened.first { throw unopened.error }
            try takeOver(reader, opened)
            try unfinished.finish()
            let isNamesake = name == nil && reader.parts.contains { $0.kind == .identity }
            try show(opened, isNamesake: isNamesake, context)
        } catch {
            node?.close()
            node = nil
            unfinished.discard()
            throw error
        }
        return .done
    }

    // MARK: Files

    private static func writeFiles(
        _ reader: ContainerReader, _ identity: Identity, _ home: HomeFolder
    ) throws(NodeError) {
        var stores: [(part: ContainerPart, path: String)] = []
        for keys in identity.accounts.map(\.keys) {
            let path = home.databasePath(of: keys.zone)
            let name = String(path.split(separator: "/").last ?? "")
            guard let part = reader.parts.first(where: { $0.kind == .database && $0.name == name }) else {
                throw NodeError(.damaged, "\(reader.path) lacks the store of account \(keys.accountID.shortHex)")
            }
            stores.append((part, path))
        }
        stores += groupStores(reader, home)
        for store in stores { try write(store.part, of: reader, to: store.path, home) }
        if let settings = reader.parts.first(where: { $0.kind == .settings }) {
            try write(settings, of: reader, to: home.settingsPath, home)
        }
        let results = reader.parts.filter { $0.kind == .results && LeftScores.isFile($0.name) }
        guard !results.isEmpty else { return }
        do {
            try Files.makeFolders(home.leftScoresPath)
        } catch {
            throw home.notWritable(error)
        }
        for part in results { try write(part, of: reader, to: home.leftScoresPath + "/" + part.name, home) }
    }

    /// The stores of the accounts' groups; the memberships decide which of them are opened. A name counts only if it
    /// names a zone's file.
    private static func groupStores(
        _ reader: ContainerReader, _ home: HomeFolder
    ) -> [(part: ContainerPart, path: String)] {
        let listed = Set((reader.manifest["groups"]?.elements ?? []).compactMap { $0["store"]?.text })
        return reader.parts.filter { part in
            part.kind == .database && listed.contains(part.name) && HomeFolder.isDatabase(part.name)
        }.map { ($0, home.zonesPath + "/" + $0.name) }
    }

    /// Writes the file durably, or leaves nothing.
    private static func write(
        _ part: ContainerPart, of reader: ContainerReader, to path: String, _ home: HomeFolder
    ) throws(NodeError) {
        let temporary = path + ".new"
        unlink(temporary)
        do {
            let file = try FileDescriptor(path: temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
            let stream = reader.stream(part)
            while let piece = try stream.next() { try file.write(piece) }
            try file.synchronize()
            guard rename(temporary, path) == 0 else { throw FileError.last("rename", path) }
            try FileDescriptor(path: Files.parent(of: path) ?? "/", flags: O_RDONLY | O_DIRECTORY).synchronize()
        } catch {
            unlink(temporary)
            throw (error as? FileError).map { home.notWritable($0) } ?? NodeError(cause: error)
        }
    }

    // MARK: The end

    /// Without the device's own secret in the backup, this is another device that continues in place of the old one.
    /// Otherwise the stores start a new lane by their guard.
    private static func takeOver(_ reader: ContainerReader, _ node: LocalNode) throws(NodeError) {
        let listed = reader.manifest["accounts"]?.elements ?? []
        guard !reader.parts.contains(where: { $0.kind == .identity }) else { return }
        for account in node.accounts {
            let old = listed.first { $0["accountId"]?.text == account.accountID.hex }?["deviceId"]?.text
            guard let old = old.flatMap({ LaneID(hex: $0) }) else { continue }
            do {
                try account.zone.takeOver(from: old)
            } catch {
                throw NodeError(cause: error)
            }
            try account.commit()
        }
    }

    /// - Parameter isNamesake: the device has the name of the one that made the backup.
    private static func show(_ node: LocalNode, isNamesake: Bool, _ context: ToolContext) throws(NodeError) {
        var accounts: [JSONValue] = []
        for account in node.accounts {
            do {
                accounts.append(
                    .object([
                        "accountId": .string(account.accountID.hex), "label": .string(account.label),
                        "deviceId": .string(account.zone.lane.hex),
                        "messages": .number(try account.zone.chat.stats().messages),
                    ]))
            } catch {
                throw NodeError(cause: error)
            }
        }
        if context.command.isJSON {
            return context.output.bufferedLine(
                JSONValue.object([
                    "home": .string(node.home.path), "name": .string(node.identity.deviceName),
                    "accounts": .array(accounts),
                ]).encoded)
        }
        for account in accounts {
            let (id, device) = (account["accountId"]?.text ?? "", account["deviceId"]?.text?.prefix(16) ?? "")
            let messages = Wording.count(Int(account["messages"]?.integer ?? 0), "message")
            context.output.line("account \(id): \(messages); this device is now \(device)")
        }
        if isNamesake {
            context.output.line(
                "It is called \(Terminal.harmless(node.identity.deviceName)), like the device that made the backup: "
                    + "`\(context.program) device rename NAME` gives it another name.")
        }
        context.output.line("\nNext: `\(context.program) run` fetches everything newer from the other devices.")
    }
}
