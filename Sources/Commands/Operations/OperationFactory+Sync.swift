import Node
import NodeCore
import Transport

/// What tells how far the node is, and what makes it go on.
extension OperationFactory {
    func syncOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "status" where request.has("--watch"):
            _ = try running()
            return StatusWatchOperation(node: node)
        case "status":
            return ImmediateOperation { [node] reply, _ in
                reply.data(try NodeReporter(node).status(only: request.text(NodeService.onlyAccount)))
            }
        case "explain":
            let account = try account(request)
            let reporter = ZoneReporter(account, of: node)
            let subject = request.text("WHAT") ?? ""
            if let txid = TxID(hex: subject) { return ExplainMessageOperation(txid, reporter) }
            return try ExplainConversationOperation(subject, reporter)
        case "doctor": return DoctorOperation(node: node)
        case "diagnostics": return ImmediateOperation { [node] reply, _ in reply.data(try Diagnostics(node).report()) }
        case "sync":
            if request.has("--now"), request.has("--wait") {
                throw NodeError(.usage, "--now returns at once and --wait does not: choose one of them")
            }
            let accounts = request.has(OptionSpec.account.name) ? [try account(request)] : node.accounts
            return try SyncOperation(network: try running(), accounts: accounts, request: request)
        case "background": return BackgroundOperation(network: try running())
        case "foreground":
            let network = try running()
            return ImmediateOperation { reply, now in
                try network.enterForeground(now: now)
                reply.data(.object(["listen": .optional(network.listeners.address?.description)]))
            }
        case "events":
            return try EventsOperation(account: try account(request), request: request, clock: node.clock)
        case "changes": return try ChangesOperation(account: try account(request), request: request)
        default: return nil
        }
    }
}
