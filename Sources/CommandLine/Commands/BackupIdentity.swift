import Chat
import Commands
import Node
import NodeCore
import SyncState

/// The identity for a restored home: the backup's own or, if it contains no keys, a new one made from the given
/// phrases.
enum BackupIdentity {
    static func read(_ reader: ContainerReader, _ context: ToolContext) throws(NodeError) -> Identity {
        let command = context.command
        guard let part = reader.parts.first(where: { $0.kind == .identity }) else {
            guard let path = command.text("--phrase-file") else {
                throw NodeError(
                    .usage, "\(reader.path) contains no keys: give the accounts' recovery phrases with --phrase-file F")
            }
            return try made(reader, secrets(try AccountSecretOptions.text(of: path, context)), path)
        }
        guard !command.has("--phrase-file") else {
            throw NodeError(.usage, "\(reader.path) contains the keys: restore it without --phrase-file")
        }
        var bytes = try reader.content(part, limit: Node.Limits.identityFileBytes)
        defer { wipe(&bytes) }
        do {
            return try Identity(encoded: bytes)
        } catch .otherVersion(let version) {
            let remedy = version > Identity.version ? "update" : "restore it with version \(Version.ofHome(version)) of"
            throw NodeError(
                .badIdentity,
                "the identity in \(reader.path) has version \(version), this program reads \(Identity.version): "
                    + "\(remedy) kachat-node")
        } catch {
            throw reader.damaged(part)
        }
    }

    /// A new device for the accounts in the backup.
    private static func made(
        _ reader: ContainerReader, _ given: [AccountSecret], _ path: String
    ) throws(NodeError) -> Identity {
        var accounts: [Identity.Account] = []
        for listed in reader.manifest["accounts"]?.elements ?? [] {
            let label = listed["label"]?.text ?? "main"
            let createdAt = WallTime(milliseconds: listed["createdAt"]?.integer ?? 0)
            var found: Identity.Account?
            for secret in given {
                let account = Identity.Account(label: label, secret: secret, createdAt: createdAt)
                if try account.keys().accountID.hex == listed["accountId"]?.text { found = account }
            }
            guard let found else {
                let id = (listed["accountId"]?.text ?? "").prefix(8)
                throw NodeError(.badPhrase, "\(path) lacks the phrase of account \(id) (\(label))")
            }
            accounts.append(found)
        }
        var random = SystemRandom()
        return Identity(
            deviceSecret: Secret(random: &random, count: 32), deviceName: HostName.current, accounts: accounts)
    }

    /// One secret per line: 12 or 24 words, or a wallet key as 64 hexadecimal digits.
    private static func secrets(_ text: String) throws(NodeError) -> [AccountSecret] {
        var secrets: [AccountSecret] = []
        for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
            if let key = Bytes32(hex: line.filter { !$0.isWhitespace }) {
                secrets.append(.root(Secret(bytes: key.bytes)))
            } else {
                secrets.append(.phrase(entropy: try RecoveryPhrase.entropy(of: String(line))))
            }
        }
        return secrets
    }
}
