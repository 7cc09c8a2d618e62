extension Game: Readable {
    init(_ fields: Fields) throws(ClientError) {
        gameId = try fields.text("gameId")
        name = try fields.text("name")
        model = ScoringModel(rawValue: try fields.text("model"))
        maxAttempts = fields.optionalCount("maxAttempts")
    }
}

extension Score: Readable {
    init(_ fields: Fields) throws(ClientError) {
        dateInt = try fields.count("dateInt")
        gameId = try fields.text("gameId")
        gameName = fields.optionalText("gameName")
        score = fields.optionalCount("score")
        maxAttempts = fields.optionalCount("maxAttempts")
        completed = try fields.flag("completed")
        currentStreak = fields.optionalCount("currentStreak")
        userId = fields.optionalText("userId")
        name = fields.optionalText("name")
        groupId = fields.optionalText("groupId")
        points = fields.optionalCount("points")
    }
}

extension Leaderboard: Readable {
    init(_ fields: Fields) throws(ClientError) {
        groupId = try fields.text("groupId")
        title = fields.optionalText("title") ?? ""
        game = fields.optionalText("game")
        from = fields.optionalCount("from")
        to = fields.optionalCount("to")
        today = try fields.count("today")
        rows = try fields.list("rows", of: Standing.self)
    }
}

extension Standing: Readable {
    init(_ fields: Fields) throws(ClientError) {
        rank = try fields.count("rank")
        memberId = try fields.text("memberId")
        name = fields.optionalText("name") ?? ""
        me = try fields.flag("me")
        points = try fields.count("points")
        played = try fields.count("played")
        completed = try fields.count("completed")
        wins = try fields.count("wins")
        average = fields.optionalNumber("average")
        currentStreak = try fields.count("currentStreak")
        bestStreak = try fields.count("bestStreak")
        lastPlayed = fields.optionalCount("lastPlayed")
        playedToday = try fields.flag("playedToday")
    }
}

extension LeaderboardDay: Readable {
    init(_ fields: Fields) throws(ClientError) {
        date = try fields.count("date")
        results = try fields.list("results", of: DayResult.self)
    }
}

extension DayResult: Readable {
    init(_ fields: Fields) throws(ClientError) {
        memberId = try fields.text("memberId")
        name = fields.optionalText("name") ?? ""
        me = try fields.flag("me")
        gameId = try fields.text("gameId")
        gameName = fields.optionalText("gameName")
        score = fields.optionalCount("score")
        points = try fields.count("points")
        late = try fields.flag("late")
        winner = try fields.flag("winner")
    }
}

extension LeaderboardHistory: Readable {
    init(_ fields: Fields) throws(ClientError) {
        members = try fields.list("members", of: HistoryMember.self)
        weeks = try fields.list("weeks", of: HistoryWeek.self)
    }
}

extension HistoryMember: Readable {
    init(_ fields: Fields) throws(ClientError) {
        memberId = try fields.text("memberId")
        name = try fields.text("name")
    }
}

extension HistoryWeek: Readable {
    init(_ fields: Fields) throws(ClientError) {
        week = try fields.count("week")
        points = fields.counts("points")
    }
}

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
