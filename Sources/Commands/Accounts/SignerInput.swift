import Chat
import Node
import NodeCore
import NodeModel

/// A recovery phrase or wallet key that comes as a command's input, so that no command line shows it.
final class SignerInput {
    static let phraseFile = Parameter.text(
        "--phrase-file", .text("F"), "a file with the 12 or 24 words; - is standard input")
    static let walletKey = Parameter.text(
        "--wallet-key", .text("FILE"), "a file with a wallet's key, 64 hexadecimal digits; - is standard input")

    private let isWalletKey: Bool
    private var bytes: [UInt8] = []

    init(_ call: Call) {
        isWalletKey = call.has(Self.walletKey)
        // An array that grew would leave copies behind.
        bytes.reserveCapacity(Limits.phraseFileBytes + 1)
    }

    deinit { wipe(&bytes) }

    /// Takes what has come.
    ///
    /// - Returns: true if that was all.
    func take(_ lines: inout InputLines) throws(NodeError) -> Bool {
        while let line = lines.next() {
            guard case .line(let part) = line, bytes.count + part.count < Limits.phraseFileBytes else {
                throw NodeError(.badPhrase, "the file is longer than \(Limits.phraseFileBytes) bytes")
            }
            bytes += part
            bytes.append(0x0A)
        }
        return lines.isEnded
    }

    /// - Throws: `bad-phrase`, which names the wrong word.
    func signer() throws(NodeError) -> AccountSigner {
        let text = String(decoding: bytes, as: UTF8.self)
        return isWalletKey ? try WalletKey.signer(of: text) : try RecoveryPhrase.signer(of: text)
    }

    /// The two ways over HTTP of a command that takes a phrase or a key.
    static func endpoints(
        _ id: String, _ path: String, _ summary: String, takes taken: [any AnyParameter] = [], answer: Answer
    ) -> [Endpoint] {
        [
            Endpoint(
                id + "ByPhrase", .post, path + "/phrase", .home, summary + " its recovery phrase", takes: taken,
                fixed: [(phraseFile, "-")], body: .text("The 12 or 24 words."), answer: answer),
            Endpoint(
                id + "ByWalletKey", .post, path + "/wallet-key", .home, summary + " its wallet key", takes: taken,
                fixed: [(walletKey, "-")], body: .text("64 hexadecimal digits."), answer: answer),
        ]
    }
}

/// A command that the account's person signs.
final class SignedOperation: Operation {
    let changesData = true
    private let node: LocalNode
    private let account: NodeAccount
    private let input: SignerInput
    private let body: (AccountSigner) throws -> any Model

    init(_ call: Call, body: @escaping (AccountSigner) throws -> any Model) throws {
        node = call.node
        account = try call.account
        input = SignerInput(call)
        self.body = body
    }

    func step(input lines: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress
    {
        guard try input.take(&lines) else { return .needsInput }
        let signer = try node.signer(of: account) { () throws(NodeError) in try input.signer() }
        reply.data(try body(signer))
        return .done
    }
}

/// The parameters of `SignerInput`, also of `init`.
package enum SignerParameters {
    package static let all = [SignerInput.phraseFile.spec, SignerInput.walletKey.spec]
}

/// `account import`
final class AccountImportOperation: Operation {
    let changesData = false
    private let node: LocalNode
    private let label: String?
    private let input: SignerInput

    static let label = Parameter.text(
        "--label", .line("L", bytes: Node.Limits.labelBytes),
        "its label on this device (default: main, then account 2 and so on)")

    init(_ call: Call) {
        node = call.node
        label = call[Self.label]
        input = SignerInput(call)
    }

    func step(input lines: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress
    {
        guard try input.take(&lines) else { return .needsInput }
        let account = try node.add(AccountAddition(by: try input.signer()), label: label)
        reply.data(NodeReporter(node).describe(account))
        return .done
    }
}
