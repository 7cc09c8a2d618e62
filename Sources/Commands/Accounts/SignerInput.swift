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

/// A command that the account's person signs, or that adds an account, once the whole phrase or key is here.
final class SignerOperation: Operation {
    let changesData: Bool
    private let input: SignerInput
    private let body: (SignerInput) throws -> any Model

    init(_ call: Call, changesData: Bool, body: @escaping (SignerInput) throws -> any Model) {
        (self.changesData, self.body) = (changesData, body)
        input = SignerInput(call)
    }

    /// Signs by the account's person.
    static func signing(_ call: Call, body: @escaping (AccountSigner) throws -> any Model) throws -> SignerOperation {
        let account = try call.account
        return SignerOperation(call, changesData: true) { input in
            try body(try call.node.signer(of: account) { () throws(NodeError) in try input.signer() })
        }
    }

    func step(input lines: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress
    {
        guard try input.take(&lines) else { return .needsInput }
        reply.data(try body(input))
        return .done
    }
}

/// The parameters of `SignerInput`, also of `init`.
package enum SignerParameters {
    package static let all = [SignerInput.phraseFile.spec, SignerInput.walletKey.spec]
}
