/// `account …`
extension OperationFactory {
    func accountOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "account show":
            let account = try account(request)
            return ImmediateOperation { [node] reply, _ in reply.data(node.describe(account)) }
        default: return nil
        }
    }
}
