import Chat
import Node
import NodeModel

/// `achievement …`
extension Command {
    static let achievements: [Command] = [achievementImport, achievementExport, achievementList]

    static let achievementImport = Command(
        "achievement import", "Take over achievements from an app's JSON; nothing reached is ever lost",
        examples: ["kachat-node achievement import achievements.json"],
        takes: [Parameter.text("FILE", .text("FILE")), account],
        at: [
            Endpoint(
                "importAchievements", .post, "/v1/achievements", .scope(.groupsWrite),
                """
                Add achievements to those that are held; nothing reached is ever lost, and the same again changes \
                nothing
                """,
                body: .array(.of(GivenAchievement.self), most: Chat.Limits.achievements),
                answer: .done(AchievementsAdded.self) { added in
                    "\(added.achievements) achievements read"
                        + (added.changed ? "; \(added.held) held." : ": nothing new.")
                })
        ]
    ) { call throws(NodeError) in AchievementImportOperation(account: try call.account) }

    static let achievementExport = Command(
        "achievement export", "Write all achievements as one JSON array, as import takes it",
        examples: ["kachat-node achievement export > achievements.json"], takes: [account],
        at: [
            Endpoint(
                "exportAchievements", .get, "/v1/achievements/export", .home,
                "All achievements, as an import takes them",
                answer: .object(AchievementFile.self))
        ]
    ) { call throws(NodeError) in
        let held = try call.account.zone.achievements
        return reading { AchievementFile(held.known.achievements.map { NodeModel.Achievement($0) }) }
    }

    static let achievementList: Command = {
        let category = Parameter.text("--category", .text("C"), "the achievements of this one")
        return Command(
            "achievement list", "List the categories of achievements, or the achievements of one",
            examples: ["kachat-node achievement list", "kachat-node achievement list --category streaks --json"],
            takes: [account, category],
            at: [
                Endpoint(
                    "achievements", .get, "/v1/achievements", .scope(.groupsRead),
                    "The categories of achievements, or the achievements of one", takes: [category],
                    answer: .list(of: Either<AchievementCategory, NodeModel.Achievement>.self) { row, output in
                        switch row {
                        case .first(let category): show(category, output)
                        case .second(let achievement): show(achievement, output)
                        }
                    })
            ]
        ) { call throws(NodeError) in
            let (held, category) = (try call.account.zone.achievements, call[category])
            return listing {
                guard let category else { return held.known.summary.map { AchievementCategory($0) } }
                return held.known.achievements.filter { $0.category == category }.map { NodeModel.Achievement($0) }
            }
        }
    }()

    private static func show(_ category: AchievementCategory, _ output: Output) {
        output.line(
            "\(Output.padded(Terminal.harmless(category.category), 24))  \(category.unlocked) of \(category.count)"
                + "  \(category.unlockedTiers) tiers  highest \(Terminal.harmless(category.highestTier ?? "-"))")
    }

    private static func show(_ achievement: NodeModel.Achievement, _ output: Output) {
        let tier = Terminal.harmless(achievement.currentTier ?? "-")
        output.line("\(Terminal.harmless(achievement.id))  \(Output.padded(tier, 10))  \(achievement.currentValue)")
    }
}
