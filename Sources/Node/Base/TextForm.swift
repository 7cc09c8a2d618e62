import LeaderboardShare
import NodeCore

/// Formats of command line values that have rules of their own.
package enum TextForm: Sendable {
    /// A day in UTC: `20260131` or `2026-01-31`.
    case day
    /// `30m`, `12h`, `7d`, `never`.
    case lifetime
    /// `90m`, `12h`, `3d`, `2026-11-21`, `2026-11-21T08:30:00Z`.
    case past
    /// Comma-separated scopes of a token.
    case scopes
    case uuid
    /// Two hexadecimal digits per byte.
    case hexadecimal
    /// A whole number in the range of a result.
    case count
    /// A file for a QR code.
    case image
    /// A title, or the name of a member or of a game: one line.
    case title
    /// The description of a group.
    case paragraph

    /// The allowed values, to follow "must be".
    package var allowed: String {
        switch self {
        case .day: "a day such as 2026-01-31"
        case .lifetime: "minutes, hours or days such as 30m, 12h or 7d, or never"
        case .past: "a time in UTC such as 2026-11-21T08:30:00Z, a day, or how long ago, such as 90m, 12h or 3d"
        case .scopes: "one or more of \(APIScope.names), separated by commas without spaces"
        case .uuid: "a UUID such as 5d0c8a52-8a4f-4f0e-9d52-000000000001"
        case .hexadecimal: "hexadecimal digits, two per byte"
        case .count: "a whole number from 0 to \(LeaderboardShare.Limits.scoreValue)"
        case .image: "a file that ends in .svg or .png"
        case .title: "one line of 1 to \(LeaderboardShare.Limits.titleCharacters) characters that are not only blanks"
        case .paragraph:
            "1 to \(LeaderboardShare.Limits.descriptionCharacters) characters, without control ones but line breaks"
        }
    }

    /// The same as a regular expression; nil if that cannot express it.
    package var pattern: String? {
        switch self {
        case .uuid: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
        case .hexadecimal: "^([0-9a-fA-F]{2})+$"
        case .day, .lifetime, .past, .scopes, .count, .image, .title, .paragraph: nil
        }
    }

    /// The most characters and bytes, where the form bounds both.
    package var most: (characters: Int, bytes: Int)? {
        switch self {
        case .title: (LeaderboardShare.Limits.titleCharacters, LeaderboardShare.Limits.titleBytes)
        case .paragraph: (LeaderboardShare.Limits.descriptionCharacters, LeaderboardShare.Limits.descriptionBytes)
        case .day, .lifetime, .past, .scopes, .uuid, .hexadecimal, .count, .image: nil
        }
    }

    func isKept(_ text: String) -> Bool {
        switch self {
        case .day: Day(text: text) != nil
        case .lifetime: (try? Lifetime.end(text, from: WallTime(milliseconds: 0))) != nil
        case .past: PastTime.wall(text, now: WallTime(milliseconds: 0)) != nil
        case .scopes: (try? APIScope.list(text)) != nil
        case .uuid: GameID(uuid: text) != nil
        case .hexadecimal: !text.isEmpty && Hex.decode(text) != nil
        case .count: UInt32(text).map { $0 <= LeaderboardShare.Limits.scoreValue } ?? false
        case .image: text.hasSuffix(".svg") || text.hasSuffix(".png")
        case .title: GroupTitle.isWritable(title: text)
        case .paragraph: !text.isEmpty && GroupTitle(title: "-", description: text).isAcceptable
        }
    }
}
