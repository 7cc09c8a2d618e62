import NodeCore
import SyncState

/// `message …`
extension OperationFactory {
    func messageOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "message list": try MessageListOperation(account: account(request), request: request)
        case "message add": MessageAddOperation(account: try account(request))
        case "message search": try MessageSearchOperation(account: account(request), request: request)
        case "message show": try show(request)
        default: nil
        }
    }

    private func show(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let txid = try txid(request, "TXID")
        let account = try account(request)
        return ImmediateOperation { reply, _ in
            guard let message = try account.zone.chat.message(txid) else {
                throw NodeError(.notFound, "there is no message \(txid.hex)")
            }
            reply.data(message.json)
        }
    }
}
