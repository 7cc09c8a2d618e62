import Chat
package import Node
import NodeCore

/// The identity for a restored home: the backup's own or, if it contains no keys, a new one, which the given phrases
/// let into the accounts.
package struct BackupIdentity {
    package var identity: Identity
    /// Empty if the backup contains the keys.
    let signers: [AccountSigner]

    /// - Parameter phrases: of a backup without keys, and their file: one a line, 12 or 24 words, or a wallet key.
    package init(_ reader: ContainerReader, phrases: (text: String, path: String)?) throws(NodeError) {
        guard let part = reader.keys else {
            signers = try Self.signers(phrases?.text ?? "")
            identity = try Self.made(reader, signers, phrases?.path ?? reader.path)
            return
        }
        var bytes = try reader.content(part, limit: Node.Limits.identityFileBytes)
        defer { wipe(&bytes) }
        do {
            identity = try Identity(encoded: bytes)
            signers = []
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
        _ reader: ContainerReader, _ given: [AccountSigner], _ path: String
    ) throws(NodeError) -> Identity {
        var accounts: [Identity.Account] = []
        for listed in reader.manifest["accounts"]?.elements ?? [] {
            let label = listed["label"]?.text ?? "main"
            let createdAt = WallTime(milliseconds: listed["createdAt"]?.integer ?? 0)
            let id = listed["accountId"]?.text ?? ""
            guard let signer = given.first(where: { $0.keys.accountID.hex == id }) else {
                throw NodeError(.badPhrase, "\(path) lacks the phrase of account \(id.prefix(8)) (\(label))")
            }
            accounts.append(
                Identity.Account(
                    label: label, keys: signer.keys, createdAt: createdAt, recovery: signer.recovery.secret))
        }
        var random = SystemRandom()
        return Identity(
            deviceSecret: Secret(random: &random, count: 32), deviceName: HostName.current, accounts: accounts)
    }

    private static func signers(_ text: String) throws(NodeError) -> [AccountSigner] {
        var signers: [AccountSigner] = []
        for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
            let digits = line.filter { !$0.isWhitespace }
            let isKey = digits.utf8.count == 64 && digits.allSatisfy(\.isHexDigit)
            signers.append(isKey ? try WalletKey.signer(of: String(line)) : try RecoveryPhrase.signer(of: String(line)))
        }
        return signers
    }
}
