import Chat
import Node
import NodeCore
import SyncState

/// `achievement …`
extension OperationFactory {
    func achievementOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "achievement import": return AchievementImportOperation(account: try account(request))
        case "achievement export":
            let zone = try account(request).zone
            return ImmediateOperation { reply, _ in reply.data(AchievementJSON.json(zone.achievements.known)) }
        case "achievement list":
            let zone = try account(request).zone
            let category = request.text("--category")
            return ImmediateOperation { reply, _ in
                guard let category else {
                    for summary in zone.achievements.known.summary { reply.data(summary.json) }
                    return
                }
                for achievement in zone.achievements.known.achievements where achievement.category == category {
                    reply.data(AchievementJSON.json(achievement))
                }
            }
        default: return nil
        }
    }
}
