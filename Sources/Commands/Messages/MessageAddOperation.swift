import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `message add`: one JSON object, in as many lines as it likes.
final class MessageAddOperation: Operation {
    let changesData = true
    private let node: LocalNode
    private let account: NodeAccount
    private var line = WholeInput()

    init(node: LocalNode, account: NodeAccount) {
        self.node = node
        self.account = account
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        guard let bytes = try line.take(&input, "the message") else { return .needsInput }
        var added = Added()
        do {
            let message = try NewMessage(json: bytes)
            added.txid = message.txid.lowercased()
            if message.isPlaceholder(PlaceholderText(node.settings.placeholderText)) {
                let outcome = try account.zone.hint(try Stub(message, hintedAt: node.clock.wall()))
                added.result = outcome == .new ? .hinted : .known
            } else {
                added.result = AddResult(try account.zone.accept(try ChatMessage(message), now: now))
                try account.zone.cut(force: false, now: now)
            }
        } catch let error as FieldError {
            throw NodeError(.badInput, "the message: \(sentence: Sentence(error))")
        } catch {
            throw NodeError(cause: error)
        }
        reply.data(added)
        return .done
    }
}

extension AddResult {
    fileprivate init(_ acceptance: Acceptance) {
        self =
            switch acceptance {
            case .new: .new
            case .known: .known
            case .upgraded: .completed
            case .deleted: .deleted
            }
    }
}
