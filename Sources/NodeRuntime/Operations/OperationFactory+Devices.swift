/// `peers` and `device …`
extension OperationFactory {
    func deviceOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "peers":
            let network = try running()
            let account = request.has(OptionSpec.account.name) ? try account(request) : nil
            return ImmediateOperation { reply, _ in
                for peer in account.map(network.peers) ?? network.peers { reply.data(peer) }
            }
        default: return nil
        }
    }
}
