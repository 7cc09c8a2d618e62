package import NodeCore

/// An achievement, by its UUID.
package struct AchievementID: Identifier16 {
    package let storage: Bytes16

    package init(_ storage: Bytes16) { self.storage = storage }
}
