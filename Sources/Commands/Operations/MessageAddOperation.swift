import Chat
import Node
import NodeCore
import SyncState

/// `message add`: one JSON object, in as many lines as it likes.
final class MessageAddOperation: ControlOperation {
    let changesData = true
    private let node: LocalNode
    private let account: NodeAccount
    private var line = WholeInput()

    init(node: LocalNode, account: NodeAccount) {
        self.node = node
        self.account = account
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        guard let bytes = try line.take(&input, "the message") else { return .needsInput }
        do {
            let message = try MessageLine(json: bytes)
            if message.isPlaceholder(PlaceholderText(node.settings.placeholderText)) {
                let outcome = try account.zone.hint(message.stub(hintedAt: node.clock.wall()))
                let result = outcome == .new ? "hinted" : "known"
                reply.data(.object(["txid": .string(message.txid.hex), "result": .string(result)]))
                return .done
            }
            let acceptance = try account.zone.accept(message.chatMessage, now: now)
            try account.zone.cut(force: false, now: now)
            reply.data(.object(["txid": .string(message.txid.hex), "result": .string(acceptance.word)]))
            return .done
        } catch let error as MessageLineError {
            throw NodeError(.badInput, "the message \(error.reason)")
        } catch {
            throw NodeError(cause: error)
        }
    }
}

extension Acceptance {
    /// What became of a message, for scripts.
    fileprivate var word: String {
        switch self {
        case .new: "new"
        case .known: "known"
        case .upgraded: "completed"
        case .deleted: "deleted"
        }
    }
}
