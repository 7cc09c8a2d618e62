/// A tier of an achievement, by its number. Later versions may have more than the six that have names here.
package struct AchievementTier: Hashable, Comparable, Sendable {
    /// From 1.
    package let number: UInt32

    package static let names = ["bronze", "silver", "gold", "platinum", "diamond", "legendary"]

    /// Nil for 0.
    package init?(number: UInt32) {
        guard number > 0 else { return nil }
        self.number = number
    }

    /// A tier by its name, in any case; nil for a name that is not known.
    package init?(name: String) {
        let wanted = name.lowercased()
        guard let index = Self.names.firstIndex(of: wanted) else { return nil }
        number = UInt32(index) + 1
    }

    /// Nil for a tier of a later version.
    package var name: String? { number <= Self.names.count ? Self.names[Int(number) - 1] : nil }

    package static func < (left: AchievementTier, right: AchievementTier) -> Bool { left.number < right.number }
}
