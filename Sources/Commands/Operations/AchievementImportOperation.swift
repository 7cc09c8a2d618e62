import Chat
import Node
import NodeCore
import SyncState

/// `achievement import`: one JSON array, in as many lines as it likes.
final class AchievementImportOperation: ControlOperation {
    let changesData = true
    private let account: NodeAccount
    private var file = WholeInput()

    init(account: NodeAccount) {
        self.account = account
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        guard let bytes = try file.take(&input, "the file") else { return .needsInput }
        let achievements = try AchievementJSON.set(json: bytes)
        do {
            let isNew = try account.zone.achievements.merge(achievements)
            reply.data(
                .object([
                    "achievements": .number(achievements.count), "changed": .bool(isNew),
                    "held": .number(account.zone.achievements.known.count),
                ]))
            return .done
        } catch {
            throw NodeError(cause: error)
        }
    }
}
