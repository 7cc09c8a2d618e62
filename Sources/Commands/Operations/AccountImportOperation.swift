import Node
import NodeCore
import SyncState

/// `account import`: the words or the key come as input, so that they stand on no command line.
final class AccountImportOperation: ControlOperation {
    let changesData = false
    private let node: LocalNode
    private let request: ControlRequest
    private let isWalletKey: Bool
    private var bytes: [UInt8] = []

    init(node: LocalNode, request: ControlRequest) throws(NodeError) {
        self.node = node
        self.request = request
        isWalletKey = request.has("--wallet-key")
    }

    deinit { wipe(&bytes) }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
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
        let account = try node.add(
            secret, label: request.text("--label"), version: request.number("--sync-key-version"))
        try CareFile.change(node.home) { $0.confirm(account.accountID, at: node.clock.wall()) }
        reply.data(NodeReporter(node).describe(account))
        return .done
    }
}
