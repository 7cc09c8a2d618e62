package import JSONLines

/// The achievements of one category, in numbers.
public struct AchievementCategory: Model, Hashable, Sendable {
    public var category = ""
    public var count = 0
    public var unlocked = 0
    public var unlockedTiers = 0
    /// `bronze` to `legendary`, or a number.
    public var highestTier: String?
    /// In milliseconds since 1970.
    public var lastUpdated = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("category", &category)
        field("count", &count)
        field("unlocked", &unlocked)
        field("unlockedTiers", &unlockedTiers)
        field("highestTier", &highestTier)
        field("lastUpdated", &lastUpdated, .time)
    }
}

/// A goal for which an app counts its user's progress.
public struct Achievement: Model, Hashable, Sendable {
    /// A UUID.
    public var id = ""
    public var category = ""
    public var currentValue: Int { progress.currentValue }
    public var currentTier: String? { progress.currentTier }

    package var requirements: [AchievementRequirement] = []
    package var progress = AchievementProgress()

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("id", &id)
        field("category", &category)
        field("requirements", &requirements)
        field("progress", &progress)
    }
}

/// The threshold of a tier.
package struct AchievementRequirement: Model {
    /// `bronze` to `legendary`, or a number.
    package var tier = ""
    package var threshold = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("tier", &tier)
        field("threshold", &threshold)
    }
}

package struct AchievementProgress: Model {
    package var currentValue = 0
    /// Nil if none is reached.
    package var currentTier: String?
    /// In UTC as RFC 3339 writes it, like the dates.
    package var lastUpdated = ""
    /// The time at which each tier was first reached.
    package var tierUnlockDates: [String: String] = [:]

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("currentValue", &currentValue)
        field.optional("currentTier", &currentTier)
        field("lastUpdated", &lastUpdated, .dateTime)
        field("tierUnlockDates", &tierUnlockDates, .dateTimes)
    }
}

/// The result of an import of achievements.
public struct AchievementsAdded: Model, Hashable, Sendable {
    package static let modelName = "ImportedAchievements"
    /// True if anything was new.
    public var changed = false
    /// Achievements of the account now.
    public var held = 0
    /// Achievements in the import.
    package var achievements = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("achievements", &achievements)
        field("changed", &changed)
        field("held", &held)
    }
}

// MARK: Achievements as apps write them

/// An achievement in an app's file. Apps write tiers, dates and pairs in several ways.
package struct GivenAchievement: Model {
    package static let modelName = "NewAchievement"
    package var id = ""
    package var category = ""
    package var requirements: [GivenRequirement] = []
    package var progress = GivenProgress()

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("id", &id, .uuid)
        field("category", &category)
        field.list("requirements", &requirements)
        field("progress", &progress)
    }
}

package struct GivenProgress: Model {
    package static let modelName = "NewAchievementProgress"
    package var currentValue = 0
    package var currentTier: GivenTier?
    package var lastUpdated = GivenTime.milliseconds(0)
    package var tierUnlockDates: GivenUnlocks?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("currentValue", &currentValue)
        field.optional("currentTier", &currentTier)
        field("lastUpdated", &lastUpdated)
        field.optional("tierUnlockDates", &tierUnlockDates)
    }
}

/// A tier by name or number.
package enum GivenTier: FieldValue {
    case name(String)
    case number(Int)

    package static let blank = GivenTier.number(1)

    package var json: JSONValue {
        switch self {
        case .name(let name): name.json
        case .number(let number): number.json
        }
    }

    package init(json: JSONValue) throws(FieldError) {
        switch json {
        case .string(let name): self = .name(name)
        case .int: self = .number(try Int(json: json))
        default: throw FieldError("", "must be a tier's name or number")
        }
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue {
        ["anyOf": [["type": "string"], ["type": "integer", "minimum": 1, "maximum": .number(UInt32.max)]]]
    }
}

/// A time in milliseconds since 1970, or in UTC as RFC 3339 writes it.
package enum GivenTime: FieldValue {
    case milliseconds(Int)
    case text(String)

    package static let blank = GivenTime.milliseconds(0)

    package var json: JSONValue {
        switch self {
        case .milliseconds(let number): number.json
        case .text(let text): text.json
        }
    }

    package init(json: JSONValue) throws(FieldError) {
        switch json {
        case .string(let text): self = .text(text)
        case .int: self = .milliseconds(try Int(json: json))
        default: throw FieldError("", "must be a time")
        }
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue {
        ["anyOf": [FieldRule<Int>.time.schema, FieldRule<String>.dateTime.schema]]
    }
}

/// The threshold of a tier: `{"tier": "gold", "threshold": 30}` or `["gold", 30]`.
package struct GivenRequirement: FieldValue {
    package var tier = GivenTier.blank
    package var threshold = 0

    package static let blank = GivenRequirement()

    package init() {}

    package var json: JSONValue { ["tier": tier.json, "threshold": threshold.json] }

    package init(json: JSONValue) throws(FieldError) {
        switch json {
        case .object(let fields):
            tier = try read("tier", of: fields)
            threshold = try read("threshold", of: fields)
        case .array(let pair) where pair.count == 2:
            tier = try GivenTier(json: pair[0])
            threshold = try Int(json: pair[1])
        default: throw FieldError("", "must have a tier and a threshold")
        }
    }

    package static func schema(_ schemas: inout Schemas) -> JSONValue {
        let (tier, threshold) = (GivenTier.schema(&schemas), Int.schema(&schemas))
        return ["anyOf": [object(["tier": tier, "threshold": threshold]), pair(tier, threshold)]]
    }
}

/// The times at which tiers were reached: `{"gold": time}`, `[{"tier": "gold", "date": time}]`, or tiers and times in
/// turn, as Swift's `Codable` writes a dictionary with an enumeration as its key.
package struct GivenUnlocks: FieldValue {
    package struct Unlock: Hashable, Sendable {
        package let tier: GivenTier
        package let date: GivenTime
    }

    package private(set) var unlocks: [Unlock] = []

    package static let blank = GivenUnlocks()

    package init() {}

    package var json: JSONValue { .array(unlocks.map { ["tier": $0.tier.json, "date": $0.date.json] }) }

    package init(json: JSONValue) throws(FieldError) {
        switch json {
        case .object(let fields):
            for (name, date) in fields.sorted(by: { $0.key < $1.key }) { add(.name(name), try GivenTime(json: date)) }
        case .array(let elements):
            var rest = elements[...]
            while let first = rest.popFirst() {
                if case .object(let fields) = first {
                    add(try read("tier", of: fields), try read("date", of: fields))
                } else {
                    guard let date = rest.popFirst() else { throw FieldError("", "has a tier without a date") }
                    add(try GivenTier(json: first), try GivenTime(json: date))
                }
            }
        default: throw FieldError("", "must say tiers and dates")
        }
    }

    package mutating func add(_ tier: GivenTier, _ date: GivenTime) { unlocks.append(Unlock(tier: tier, date: date)) }

    package static func schema(_ schemas: inout Schemas) -> JSONValue {
        let (tier, date) = (GivenTier.schema(&schemas), GivenTime.schema(&schemas))
        return [
            "anyOf": [
                ["type": "object", "additionalProperties": date],
                ["type": "array", "items": ["anyOf": [object(["tier": tier, "date": date]), tier, date]]],
            ]
        ]
    }
}

private func read<Value: FieldValue>(_ name: String, of fields: [String: JSONValue]) throws(FieldError) -> Value {
    guard let value = fields[name] else { throw FieldError(name, nil) }
    do throws(FieldError) {
        return try Value(json: value)
    } catch {
        throw error.within(name)
    }
}

private func object(_ properties: [String: JSONValue]) -> JSONValue {
    [
        "type": "object", "properties": .object(properties),
        "required": .array(properties.keys.sorted().map { .string($0) }),
    ]
}

private func pair(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
    ["type": "array", "prefixItems": [first, second], "minItems": 2, "maxItems": 2]
}

/// All achievements as one JSON array, which an import accepts.
package struct AchievementFile: Model {
    package var achievements: [Achievement] = []

    package init() {}
    package init(_ achievements: [Achievement]) { self.achievements = achievements }

    package var json: JSONValue { achievements.json }
    package func write(into bytes: inout [UInt8]) { achievements.write(into: &bytes) }
    package init(json: JSONValue) throws(FieldError) { achievements = try [Achievement](json: json) }
    package mutating func fields(_ field: inout FieldCoder) { field("achievements", &achievements) }
    package static func schema(_ schemas: inout Schemas) -> JSONValue { [Achievement].schema(&schemas) }
}
