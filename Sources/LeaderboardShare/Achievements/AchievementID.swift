package import NodeCore

/// An achievement, by its UUID.
package struct AchievementID: Identifier16 {
    package let storage: Bytes16

    package init(_ storage: Bytes16) { self.storage = storage }

    /// The 36 characters of a UUID, in either case; nil for anything else.
    package init?(uuid: String) {
        guard let game = GameID(uuid: uuid) else { return nil }
        storage = game.storage
    }

    /// As a UUID in lower case.
    package var uuid: String { GameID(storage).uuid }
}
