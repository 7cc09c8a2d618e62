package import NodeCore

/// A game, by the UUID that all groups and devices use for it.
package struct GameID: Identifier16 {
    package let storage: Bytes16

    package init(_ storage: Bytes16) { self.storage = storage }

    /// The 36 characters of a UUID, in either case; nil for anything else.
    package init?(uuid: String) {
        let parts = uuid.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        self.init(hex: parts.joined())
    }

    /// As a UUID in lower case.
    package var uuid: String {
        let hex = Array(hex.utf8)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return parts.map { String(decoding: hex[$0], as: UTF8.self) }.joined(separator: "-")
    }
}
