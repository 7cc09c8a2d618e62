import Chat
package import JSONLines
import Node
import NodeCore
import SyncState

/// Achievements as apps write them: an array of `{id, category, requirements, progress}`. Tiers are names or numbers,
/// moments RFC 3339 or milliseconds since 1970.
enum AchievementJSON {
    package static func set(json bytes: [UInt8]) throws(NodeError) -> AchievementSet {
        guard let value = JSONValue(json: bytes), case .array(let elements) = value else {
            throw bad("the file is no JSON array of achievements")
        }
        guard elements.count <= Chat.Limits.achievements else {
            throw bad("at most \(Chat.Limits.achievements) achievements are taken")
        }
        var all: [Achievement] = []
        for (index, element) in elements.enumerated() {
            do {
                all.append(try achievement(element))
            } catch {
                throw bad("achievement \(index + 1): \(error.message)")
            }
        }
        return AchievementSet(all)
    }

    package static func json(_ set: AchievementSet) -> JSONValue { .array(set.achievements.map(json)) }

    // MARK: Reading

    private static func achievement(_ value: JSONValue) throws(NodeError) -> Achievement {
        guard let id = value["id"]?.text.flatMap({ AchievementID(uuid: $0) }) else { throw bad("`id` must be a UUID") }
        guard let category = value["category"]?.text else { throw bad("lacks `category`") }
        var thresholds: [AchievementTier: Int64] = [:]
        for requirement in value["requirements"]?.elements ?? [] {
            let pair = requirement.elements
            let named = try tier(requirement["tier"] ?? pair.first)
            guard let threshold = (requirement["threshold"] ?? pair.last)?.integer else {
                throw bad("a requirement lacks its `threshold`")
            }
            thresholds[named] = threshold
        }
        let progress = value["progress"] ?? .object([:])
        guard let current = progress["currentValue"]?.integer else {
            throw bad("`progress.currentValue` must be a whole number")
        }
        guard let updated = moment(progress["lastUpdated"]) else { throw bad("`progress.lastUpdated` must be a time") }
        let reached: AchievementTier? =
            switch progress["currentTier"] {
            case nil, .null?: nil
            case let named?: try tier(named)
            }
        do {
            return try Achievement(
                id: id, category: category, thresholds: thresholds, currentValue: current, currentTier: reached,
                unlockDates: try unlocks(progress["tierUnlockDates"]), lastUpdated: updated)
        } catch let error as NodeError {
            throw error
        } catch {
            throw bad("\(error)")
        }
    }

    /// `{"gold": time}`, `[{"tier": "gold", "date": time}]`, or keys and values in turn, as Swift's `Codable` writes a
    /// dictionary by an enumeration.
    private static func unlocks(_ value: JSONValue?) throws(NodeError) -> [AchievementTier: WallTime] {
        var pairs: [(JSONValue?, JSONValue?)] = []
        switch value {
        case .object(let fields)?:
            for (name, date) in fields { pairs.append((.string(name), date)) }
        case .array(let elements)?:
            if elements.allSatisfy({ $0["tier"] != nil }) {
                for element in elements { pairs.append((element["tier"], element["date"])) }
            } else {
                guard elements.count.isMultiple(of: 2) else { throw bad("`tierUnlockDates` has a tier without a date") }
                for index in stride(from: 0, to: elements.count, by: 2) {
                    pairs.append((elements[index], elements[index + 1]))
                }
            }
        case nil, .null?: break
        default: throw bad("`tierUnlockDates` must say tiers and dates")
        }
        var dates: [AchievementTier: WallTime] = [:]
        for (name, date) in pairs {
            let tier = try tier(name)
            guard let date = moment(date) else { throw bad("`tierUnlockDates` has a date that is none") }
            dates[tier] = min(dates[tier] ?? date, date)
        }
        return dates
    }

    private static func tier(_ value: JSONValue?) throws(NodeError) -> AchievementTier {
        if let number = value?.integer.flatMap({ UInt32(exactly: $0) }), let tier = AchievementTier(number: number) {
            return tier
        }
        if let text = value?.text {
            if let tier = AchievementTier(name: text) { return tier }
            if let number = UInt32(text), let tier = AchievementTier(number: number) { return tier }
        }
        throw bad("a tier is one of \(AchievementTier.names.joined(separator: ", ")), or a number from 1")
    }

    private static func moment(_ value: JSONValue?) -> WallTime? {
        if let number = value?.integer { return WallTime(milliseconds: number) }
        return value?.text.flatMap(ISOTime.milliseconds).map { WallTime(milliseconds: $0) }
    }

    private static func bad(_ message: String) -> NodeError { NodeError(.badInput, message) }

    // MARK: Writing

    package static func json(_ achievement: Achievement) -> JSONValue {
        var progress: [String: JSONValue] = [
            "currentValue": .int(achievement.currentValue), "lastUpdated": time(achievement.lastUpdated),
            "tierUnlockDates": .object(
                Dictionary(
                    uniqueKeysWithValues: achievement.unlockDates.map { (word($0.key), time($0.value)) })),
        ]
        if let tier = achievement.currentTier { progress["currentTier"] = .string(word(tier)) }
        return .object([
            "id": .string(achievement.id.uuid), "category": .string(achievement.category),
            "requirements": .array(
                achievement.thresholds.sorted { $0.key < $1.key }.map {
                    .object(["tier": .string(word($0.key)), "threshold": .int($0.value)])
                }),
            "progress": .object(progress),
        ])
    }

    /// A tier of a later version by its number.
    package static func word(_ tier: AchievementTier) -> String { tier.name ?? String(tier.number) }

    private static func time(_ wall: WallTime) -> JSONValue { .string(ISOTime.text(milliseconds: wall.milliseconds)) }
}

extension CategorySummary {
    package var json: JSONValue {
        .object([
            "category": .string(category), "count": .number(count), "unlocked": .number(unlocked),
            "unlockedTiers": .number(unlockedTiers), "highestTier": .optional(highestTier.map(AchievementJSON.word)),
            "lastUpdated": .int(lastUpdated.milliseconds),
        ])
    }
}
