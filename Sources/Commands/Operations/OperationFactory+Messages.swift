import Chat
import Node
import NodeCore
import SyncState

/// `message …`
extension OperationFactory {
    func messageOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "message list": try MessageListOperation(node: node, account: account(request), request: request)
        case "message add": MessageAddOperation(node: node, account: try account(request))
        case "message hint": try hint(request)
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
        return ImmediateOperation { [node] reply, _ in
            if let message = try account.zone.chat.message(txid) {
                reply.data(try message.jsonInFull(account.zone))
            } else if let stub = try account.zone.chat.stub(txid) {
                reply.data(StubReport(node: node, account: account).json(stub))
            } else {
                throw NodeError(.notFound, "there is no message \(txid.hex)")
            }
        }
    }

    /// An app's push names no account that this program could check, so a guess would be asked for in vain for ever.
    private func hint(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let names = node.names
        guard request.has(OptionSpec.account.name) || names.entries.count < 2 else {
            throw NodeError(.usage, "this node has several accounts, say which with --account: \(names.list)")
        }
        let txid = try txid(request, "--txid")
        let direction: MessageDirection
        switch request.text("--direction") ?? "sent" {
        case "sent": direction = .sent
        case "received": direction = .received
        default: throw NodeError(.usage, "--direction must be `sent` or `received`")
        }
        let account = try account(request)
        let stub = Stub(
            txid: txid, conversationID: request.text("--conversation"), direction: direction,
            hintedAt: node.clock.wall())
        return ImmediateOperation(changesData: true) { [node] reply, _ in
            let outcome = try account.zone.hint(stub)
            guard let held = try account.zone.chat.stub(txid) else {
                let status = try account.zone.chat.message(txid)?.message.status.name
                let result = try account.zone.chat.isDeleted(txid) ? "deleted" : "held"
                let fields: [String: JSONValue] = [
                    "txid": .string(txid.hex), "result": .string(result), "status": .optional(status),
                ]
                return reply.data(.object(fields))
            }
            var fields = StubReport(node: node, account: account).fields(held)
            fields["result"] = .string(outcome == .new ? "hinted" : "known")
            reply.data(.object(fields))
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
