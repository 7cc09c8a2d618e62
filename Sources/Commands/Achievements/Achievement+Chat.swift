import Chat
import Node
import NodeCore
import NodeModel

extension NodeModel.Achievement {
    init(_ achievement: Chat.Achievement) {
        self.init()
        id = achievement.id.uuid
        category = achievement.category
        requirements = achievement.thresholds.sorted { $0.key < $1.key }.map { tier, threshold in
            AchievementRequirement { ($0.tier, $0.threshold) = (tier.word, Int(threshold)) }
        }
        progress.currentValue = Int(achievement.currentValue)
        progress.currentTier = achievement.currentTier?.word
        progress.lastUpdated = ISOTime.text(milliseconds: achievement.lastUpdated.milliseconds)
        progress.tierUnlockDates = Dictionary(
            uniqueKeysWithValues: achievement.unlockDates.map {
                ($0.key.word, ISOTime.text(milliseconds: $0.value.milliseconds))
            })
    }
}

extension AchievementCategory {
    init(_ summary: CategorySummary) {
        self.init()
        category = summary.category
        count = summary.count
        unlocked = summary.unlocked
        unlockedTiers = summary.unlockedTiers
        highestTier = summary.highestTier?.word
        lastUpdated = Int(summary.lastUpdated.milliseconds)
    }
}

extension Chat.Achievement {
    init(_ given: GivenAchievement) throws(FieldError) {
        guard let id = AchievementID(uuid: given.id) else { throw FieldError("id", "must be a UUID") }
        var thresholds: [AchievementTier: Int64] = [:]
        for requirement in given.requirements {
            thresholds[try AchievementTier(requirement.tier, "requirements")] = Int64(requirement.threshold)
        }
        var dates: [AchievementTier: WallTime] = [:]
        for unlock in given.progress.tierUnlockDates?.unlocks ?? [] {
            let tier = try AchievementTier(unlock.tier, "progress.tierUnlockDates")
            let date = try WallTime(unlock.date, "progress.tierUnlockDates")
            dates[tier] = min(dates[tier] ?? date, date)
        }
        var reached: AchievementTier?
        if let tier = given.progress.currentTier { reached = try AchievementTier(tier, "progress.currentTier") }
        let updated = try WallTime(given.progress.lastUpdated, "progress.lastUpdated")
        do {
            try self.init(
                id: id, category: given.category, thresholds: thresholds,
                currentValue: Int64(given.progress.currentValue), currentTier: reached, unlockDates: dates,
                lastUpdated: updated)
        } catch {
            throw FieldError("", "\(error)")
        }
    }
}

extension AchievementSet {
    /// Reads one JSON array, which apps and `achievement export` write.
    init(file bytes: [UInt8]) throws(NodeError) {
        guard case .array(let elements)? = JSONValue(json: bytes) else {
            let fault = JSONFault(bytes).map { ": \($0.sentence)" } ?? ""
            throw NodeError(.badInput, "the file is not a JSON array of achievements\(fault)")
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
        self.init(all)
    }
}

extension AchievementTier {
    /// Its name; the number of a tier of a later version.
    fileprivate var word: String { name ?? String(number) }

    fileprivate init(_ given: GivenTier, _ field: String) throws(FieldError) {
        let tier: AchievementTier? =
            switch given {
            case .name(let name): AchievementTier(name: name) ?? UInt32(name).flatMap { AchievementTier(number: $0) }
            case .number(let number): UInt32(exactly: number).flatMap { AchievementTier(number: $0) }
            }
        guard let tier else {
            let names = AchievementTier.names.joined(separator: ", ")
            throw FieldError(field, "must name a tier: one of \(names), or a number from 1")
        }
        self = tier
    }
}

extension WallTime {
    fileprivate init(_ given: GivenTime, _ field: String) throws(FieldError) {
        switch given {
        case .milliseconds(let number): self.init(milliseconds: Int64(number))
        case .text(let text):
            guard let milliseconds = ISOTime.milliseconds(text) else {
                throw FieldError(field, "must be a time in UTC such as 2025-01-31T12:00:00Z")
            }
            self.init(milliseconds: milliseconds)
        }
    }
}
