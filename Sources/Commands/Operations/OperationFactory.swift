import Node
import NodeCore
import SyncState

/// Which operation carries out which command. A file a family, as in the catalogue.
struct OperationFactory {
    package let service: NodeService
    package var node: LocalNode { service.node }

    package func make(_ request: ControlRequest) throws(NodeError) -> ControlTask {
        if let command = Command.named(request.command) {
            return try command.task(Call(service: service, request: request))
        }
        let isAboutOne = Self.accountCommands.contains(request.command)
        let account = isAboutOne ? try account(request) : nil
        let operation = try operation(request)
        // While nothing can be written, a command that writes hears why at once; those that read go on.
        if operation.changesData, let fault = account?.fault { throw fault }
        return ControlTask(operation: operation, account: account)
    }

    /// The account that the request names by `--account`; without, the only one or the default.
    package func account(_ request: ControlRequest) throws(NodeError) -> NodeAccount {
        try node.account(named: request.text(OptionSpec.account.name))
    }

    /// The commands that work on one account.
    private static let accountCommands = Set(Catalogue.commands.filter(\.worksOnAccount).map(\.name))

    private func operation(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        if let operation = try accountOperation(request) { return operation }
        if let operation = try conversationOperation(request) { return operation }
        if let operation = try deviceOperation(request) { return operation }
        if let operation = try syncOperation(request) { return operation }
        if let operation = try dataOperation(request) { return operation }
        throw NodeError(.usage, "the node knows no command `\(request.command)`")
    }

    func running() throws(NodeError) -> NodeNetwork {
        guard let network = node.network else {
            throw NodeError(.notReachable, "no node is running on \(node.home.path): run `kachat-node run`")
        }
        return network
    }

    /// Who asks for a pause.
    func pausedBy(_ request: ControlRequest) throws(NodeError) -> String {
        let by = request.text("--by") ?? "you"
        guard by.utf8.count <= SyncState.Limits.pausedByBytes, !by.unicodeScalars.contains(where: { $0.value < 0x20 })
        else {
            throw NodeError(.usage, "--by must be one line of at most \(SyncState.Limits.pausedByBytes) bytes")
        }
        return by
    }
}
