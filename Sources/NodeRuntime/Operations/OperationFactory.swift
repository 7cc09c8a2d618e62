import NodeCore
import SyncState

/// Which operation carries out which command.
struct OperationFactory {
    let node: Node

    func make(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let operation = try operation(request)
        // While nothing can be written, a command that writes hears why at once; those that read go on.
        if operation.changesData, let fault = node.fault { throw fault }
        return operation
    }

    private func operation(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let account = node.account
        switch request.command {
        case "status":
            return ImmediateOperation { reply, _ in reply.data(try node.status()) }
        case "account show":
            return ImmediateOperation { reply, _ in reply.data(node.describeAccount()) }
        case "peers":
            let network = try running()
            return ImmediateOperation { reply, _ in for peer in network.peers { reply.data(peer) } }
        case "sync": return SyncOperation(network: try running(), request: request)
        case "import": return ImportOperation(account: account, device: request.text("--device"))
        case "export": return try ExportOperation(account: account)
        case "scrub": return ScrubOperation(account: account)
        case "message list": return try MessageListOperation(account: account, request: request)
        case "message add": return MessageAddOperation(account: account)
        case "conversation list":
            return ImmediateOperation { reply, _ in
                for conversation in try account.chat.conversationList() { reply.data(conversation.json) }
            }
        case "message show": return try show(request)
        case "read mark": return try mark(request)
        case "read leave": return try leave(request)
        case "flush": return flush()
        default:
            throw NodeError(.usage, "the node knows no command `\(request.command)`")
        }
    }

    private func running() throws(NodeError) -> NodeNetwork {
        guard let network = node.network else {
            throw NodeError(.notReachable, "no node is running on \(node.home.path): run `kachat-node run`")
        }
        return network
    }

    private func show(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let txid = try txid(request, "TXID")
        return ImmediateOperation { [account = node.account] reply, _ in
            guard let message = try account.chat.message(txid) else {
                throw NodeError(.notFound, "there is no message \(txid.hex)")
            }
            reply.data(message.json)
        }
    }

    private func mark(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let conversation = try conversation(request)
        let upTo = request.has("--txid") ? try txid(request, "--txid") : nil
        return ImmediateOperation(changesData: true) { [node] reply, now in
            let wall = node.clock.wall()
            let advanced = try node.account.markRead(conversation, upTo: upTo, now: now, wall: wall)
            let summary = try node.account.chat.conversation(conversation)
            reply.data(
                .object([
                    "conversationId": .string(conversation), "advanced": .bool(advanced),
                    "unread": .number(summary?.unread ?? 0),
                ]))
        }
    }

    private func leave(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let conversation = try conversation(request)
        return ImmediateOperation(changesData: true) { [account = node.account] reply, _ in
            guard try account.chat.hasConversation(conversation) else { throw ChatError.unknownConversation }
            try account.leave(conversation)
            reply.data(.object(["conversationId": .string(conversation)]))
        }
    }

    private func flush() -> any ControlOperation {
        ImmediateOperation(changesData: true) { [account = node.account] reply, now in
            let segments = try account.cut(force: true, now: now)
            try account.publishReads()
            reply.data(.object(["segments": .number(segments)]))
        }
    }

    private func conversation(_ request: ControlRequest) throws(NodeError) -> String {
        guard let conversation = request.text("CONVERSATION") else {
            throw NodeError(.usage, "\(request.command) needs CONVERSATION")
        }
        return conversation
    }

    private func txid(_ request: ControlRequest, _ name: String) throws(NodeError) -> TxID {
        guard let txid = request.text(name).flatMap({ TxID(hex: $0) }) else {
            throw NodeError(.usage, "\(name) must be a transaction id of 64 hexadecimal digits")
        }
        return txid
    }
}
