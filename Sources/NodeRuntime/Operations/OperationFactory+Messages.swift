import NodeCore
import SyncState

/// `message …`
extension OperationFactory {
    func messageOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "message list": try MessageListOperation(account: account(request), request: request)
        case "message add": MessageAddOperation(account: try account(request))
        case "message search": try MessageSearchOperation(account: account(request), request: request)
        case "message confirm": try ChainEventOperation(account: account(request), kind: .confirm, request: request)
        case "message reorg": try ChainEventOperation(account: account(request), kind: .reorg, request: request)
        case "message delete": try delete(request)
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

    private func delete(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let txid = try txid(request, "TXID")
        let zone = try account(request).zone
        return ImmediateOperation(changesData: true) { reply, _ in
            let isDeleted = try zone.chat.isDeleted(txid)
            guard try isDeleted || zone.chat.message(txid) != nil || zone.chat.stub(txid) != nil else {
                throw NodeError(.notFound, "there is no message \(txid.hex)")
            }
            var fields = try zone.delete(message: txid).fields
            fields["txid"] = .string(txid.hex)
            fields["result"] = .string(isDeleted ? "known" : "deleted")
            reply.data(.object(fields))
        }
    }
}
