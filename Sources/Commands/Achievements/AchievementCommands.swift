import Chat
import Node
import NodeModel

/// `achievement …`
extension Command {
    static let achievements: [Command] = [achievementImport, achievementExport, achievementList]

    static let achievementImport = Command(
        "achievement import", "Import achievements from an app's JSON; progress never goes backwards",
        examples: ["achievements.json"], takes: [file, account],
        at: Endpoint(
            "importAchievements", .post, "/v1/achievements", .scope(.groupsWrite),
            "Import achievements (safe to run again); progress never goes backwards", takes: [],
            body: .array(.of(GivenAchievement.self), most: Chat.Limits.achievements),
            answer: .done(AchievementsAdded.self) { added in
                "\(added.achievements) achievements read" + (added.changed ? "; \(added.held) held." : ": nothing new.")
            })
    ) { call in
        let held = try call.account.zone.achievements
        return DocumentOperation("the file") { bytes, _ in
            let given = try AchievementSet(file: bytes)
            let isNew = try held.merge(given)
            return AchievementsAdded { ($0.achievements, $0.changed, $0.held) = (given.count, isNew, held.known.count) }
        }
    }

    static let achievementExport = Command(
        "achievement export", "Export all achievements as one JSON array, which import accepts",
        examples: ["> achievements.json"], takes: [account],
        at: Endpoint(
            "exportAchievements", .get, "/v1/achievements/export", .home, answer: .object(AchievementFile.self)),
        begin: reading { call in
            AchievementFile(try call.account.zone.achievements.known.achievements.map { NodeModel.Achievement($0) })
        })

    static let achievementList: Command = {
        let category = Parameter.text("--category", .text("C"), "the achievements of this category")
        return Command(
            "achievement list", "List the categories of achievements, or the achievements of one category",
            examples: ["", "--category streaks --json"], takes: [account, category],
            at: Endpoint(
                "achievements", .get, "/v1/achievements", .scope(.groupsRead),
                answer: .list(of: Either<AchievementCategory, NodeModel.Achievement>.self, as: AchievementText.list)),
            begin: listing { call in
                let known = try call.account.zone.achievements.known
                guard let category = call[category] else { return known.summary.map { AchievementCategory($0) } }
                return known.achievements.filter { $0.category == category }.map { NodeModel.Achievement($0) }
            })
    }()
}

private enum AchievementText {
    /// Categories, or the achievements of one.
    static let list = ListColumns<Either<AchievementCategory, NodeModel.Achievement>>(
        whenEmpty: "No achievements.",
        [
            .text("ACHIEVEMENT", .wrapped(at: 18)) { row in
                switch row {
                case .first(let category): category.category
                case .second(let achievement): achievement.id
                }
            },
            .text("REACHED") { row in
                switch row {
                case .first(let category): "\(category.unlocked) of \(category.count)"
                case .second(let achievement): Wording.grouped(achievement.currentValue)
                }
            },
            .number("TIERS") { if case .first(let category) = $0 { category.unlockedTiers } else { nil } },
            .text("HIGHEST TIER") { row in
                switch row {
                case .first(let category): category.highestTier ?? "-"
                case .second(let achievement): achievement.currentTier ?? "-"
                }
            },
        ])
}
