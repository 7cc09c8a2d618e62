import Chat
import Node
import SyncState

/// Achievements.
extension APITable {
    static let scores: [Endpoint] = [
        Endpoint(
            "achievements", .get, "/v1/achievements", .scope(.groupsRead), .command("achievement list"),
            "The categories of achievements, or the achievements of one",
            parameters: [APIParameter(.query, "category", "--category")], answer: .list("Achievement", next: nil)),
        Endpoint(
            "importAchievements", .post, "/v1/achievements", .scope(.groupsWrite), .command("achievement import"),
            "Add achievements to those that are held; nothing reached is ever lost, and the same again changes nothing",
            body: .array("NewAchievement", most: Chat.Limits.achievements),
            answer: .object("ImportedAchievements")),
    ]

    static let scoreShapes: [Shape] = [
        Shape("Achievement", "category text"),
        Shape(
            "NewAchievement",
            "id uuid,category text,requirements? [AchievementRequirement],progress AchievementProgress"),
        Shape("AchievementRequirement", "tier any,threshold int"),
        Shape(
            "AchievementProgress", "currentValue int,currentTier? any,lastUpdated any,tierUnlockDates? any"),
        Shape("ImportedAchievements", "achievements int,changed bool,held int"),
    ]
}
