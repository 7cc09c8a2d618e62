extension AchievementCategory: Readable {
    init(_ fields: Fields) throws(ClientError) {
        category = try fields.text("category")
        count = try fields.count("count")
        unlocked = try fields.count("unlocked")
        unlockedTiers = try fields.count("unlockedTiers")
        highestTier = fields.optionalText("highestTier")
    }
}

extension Achievement: Readable {
    init(_ fields: Fields) throws(ClientError) {
        id = try fields.text("id")
        category = try fields.text("category")
        let progress = try fields.optional("progress", AchievementProgress.self)
        currentValue = progress?.currentValue ?? 0
        currentTier = progress?.currentTier
    }
}

private struct AchievementProgress: Readable {
    let currentValue: Int
    let currentTier: String?

    init(_ fields: Fields) throws(ClientError) {
        currentValue = try fields.count("currentValue")
        currentTier = fields.optionalText("currentTier")
    }
}

extension AchievementsAdded: Readable {
    init(_ fields: Fields) throws(ClientError) {
        changed = try fields.flag("changed")
        held = try fields.count("held")
    }
}
