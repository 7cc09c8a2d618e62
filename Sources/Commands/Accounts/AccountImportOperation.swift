import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `account import`: the words or the key come as input, so that no command line shows them.
final class AccountImportOperation: Operation {
    let changesData = false
    private let node: LocalNode
    private let label: String?
    private let isWalletKey: Bool
    private var bytes: [UInt8] = []

    static let label = Parameter.text(
        "--label", .line("L", bytes: Node.Limits.labelBytes),
        "its label on this device (default: main, then account 2 and so on)")
    static let phraseFile = Parameter.text(
        "--phrase-file", .text("F"), "a file with the 12 or 24 words; - is standard input")
    static let walletKey = Parameter.text(
        "--wallet-key", .text("FILE"), "a file with a wallet's key, 64 hexadecimal digits; - is standard input")

    init(_ call: Call) {
        node = call.node
        label = call[Self.label]
        isWalletKey = call.has(Self.walletKey)
    }

    deinit { wipe(&bytes) }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        while let line = input.next() {
            guard case .line(let part) = line, bytes.count + part.count < Limits.phraseFileBytes else {
                throw NodeError(.badPhrase, "the file is longer than \(Limits.phraseFileBytes) bytes")
            }
            bytes += part + [0x0A]
        }
        guard input.isEnded else { return .needsInput }
        let text = String(decoding: bytes, as: UTF8.self)
        let secret: AccountSecret =
            isWalletKey ? .root(try WalletKey.key(of: text)) : .phrase(entropy: try RecoveryPhrase.entropy(of: text))
        let account = try node.add(secret, label: label)
        try CareFile.change(node.home) { $0.confirm(account.accountID, at: node.clock.wall()) }
        reply.data(NodeReporter(node).describe(account))
        return .done
    }
}

/// Parameters for an account's secret, also of `init`.
package enum AccountSecretParameters {
    package static let all = [
        AccountImportOperation.phraseFile.spec, AccountImportOperation.walletKey.spec,
    ]
}
