import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `achievement import`: one JSON array, in as many lines as it likes.
final class AchievementImportOperation: Operation {
    let changesData = true
    private let account: NodeAccount
    private var file = WholeInput()

    init(account: NodeAccount) {
        self.account = account
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        guard let bytes = try file.take(&input, "the file") else { return .needsInput }
        let achievements = try read(bytes)
        do {
            let isNew = try account.zone.achievements.merge(achievements)
            var added = AchievementsAdded()
            (added.achievements, added.changed) = (achievements.count, isNew)
            added.held = account.zone.achievements.known.count
            reply.data(added)
            return .done
        } catch {
            throw NodeError(cause: error)
        }
    }

    private func read(_ bytes: [UInt8]) throws(NodeError) -> AchievementSet {
        guard let value = JSONValue(json: bytes), case .array(let elements) = value else {
            throw NodeError(.badInput, "the file is no JSON array of achievements")
        }
        guard elements.count <= Chat.Limits.achievements else {
            throw NodeError(.badInput, "at most \(Chat.Limits.achievements) achievements are taken")
        }
        var all: [Chat.Achievement] = []
        for (index, element) in elements.enumerated() {
            do throws(FieldError) {
                all.append(try Chat.Achievement(try GivenAchievement(json: element)))
            } catch {
                throw NodeError(.badInput, "achievement \(index + 1): \(sentence: Sentence(error))")
            }
        }
        return AchievementSet(all)
    }
}
