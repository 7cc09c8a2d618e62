import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `message add`: one JSON object, over any number of lines.
final class MessageAddOperation: Operation {
    let changesData = true
    private let node: LocalNode
    private let account: NodeAccount
    private var line = WholeInput()

    init(node: LocalNode, account: NodeAccount) {
        self.node = node
        self.account = account
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        guard let bytes = try line.take(&input, "the message") else { return .needsInput }
        do {
            reply.data(try add(try NewMessage(json: bytes), now))
        } catch let error as FieldError {
            throw NodeError(.badInput, "the message: \(sentence: Sentence(error))")
        }
        return .done
    }

    private func add(_ message: NewMessage, _ now: MonotonicTime) throws -> Added {
        let result: AddResult
        if message.isPlaceholder(PlaceholderText(node.settings.placeholderText)) {
            let outcome = try account.zone.hint(try Stub(message, hintedAt: node.clock.wall()))
            result = outcome == .new ? .hinted : .known
        } else {
            result = AddResult(try account.zone.accept(try ChatMessage(message), now: now))
            try account.zone.cut(force: false, now: now)
        }
        return Added { ($0.txid, $0.result) = (message.txid.lowercased(), result) }
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
