import Node
import NodeCore

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
