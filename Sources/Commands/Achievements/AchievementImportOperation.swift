import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `achievement import`: one JSON array, over any number of lines.
final class AchievementImportOperation: Operation {
    let changesData = true
    private let account: NodeAccount
    private var file = WholeInput()

    init(account: NodeAccount) {
        self.account = account
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        guard let bytes = try file.take(&input, "the file") else { return .needsInput }
        let achievements = try read(bytes)
        let isNew = try account.zone.achievements.merge(achievements)
        reply.data(
            AchievementsAdded {
                ($0.achievements, $0.changed) = (achievements.count, isNew)
                $0.held = account.zone.achievements.known.count
            })
        return .done
    }

    private func read(_ bytes: [UInt8]) throws(NodeError) -> AchievementSet {
        guard let value = JSONValue(json: bytes), case .array(let elements) = value else {
            throw NodeError(.badInput, "the file is not a JSON array of achievements")
        }
        guard elements.count <= Chat.Limits.achievements else {
            throw NodeError(.badInput, "the file has more than \(Chat.Limits.achievements) achievements")
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
