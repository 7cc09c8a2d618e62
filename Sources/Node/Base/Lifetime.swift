package import LeaderboardShare
package import NodeCore

/// The lifetime of an invitation, as users write it: `30m`, `12h`, `7d`, `never`.
package enum Lifetime {
    package static let usual = "7d"

    /// The expiry in seconds since 1970.
    package static func end(_ text: String, from wall: WallTime) throws(NodeError) -> UInt64 {
        if text == "never" { return Delegation.never }
        guard let seconds = seconds(text) else {
            throw NodeError(
                .usage,
                """
                \(parameter: "--expires") must be minutes, hours or days such as 30m, 12h or 7d, or never, not \
                `\(text)`
                """)
        }
        return UInt64(max(0, wall.milliseconds / 1_000)) + seconds
    }

    /// Nil for any other text than a number with its unit.
    static func seconds(_ text: String) -> UInt64? {
        let units: [Character: UInt64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), let count = UInt64(text.dropLast()), count > 0,
            count <= Limits.lifetimeSeconds / unit
        else { return nil }
        return count * unit
    }

    /// Milliseconds since 1970, as the API shows times; nil for never. Another member may have written any number.
    package static func milliseconds(_ seconds: UInt64) -> Int? {
        seconds == Delegation.never ? nil : Int(min(seconds, UInt64(Int.max) / 1_000)) * 1_000
    }
}

extension Role {
    /// The word used in commands.
    package var word: String {
        switch self {
        case .viewer: "viewer"
        case .member: "member"
        case .admin: "admin"
        case .owner: "owner"
        }
    }

    /// A role that can be assigned; the owner's cannot.
    package init(word: String) throws(NodeError) {
        switch word {
        case "viewer": self = .viewer
        case "member": self = .member
        case "admin": self = .admin
        default: throw NodeError(.usage, "a role is one of admin, member and viewer, not `\(word)`")
        }
    }
}

extension Delegation {
    /// In milliseconds since 1970; nil: never.
    package var expiresAt: Int? { Lifetime.milliseconds(expiresSeconds) }
    /// Nil: any number.
    package var mostUses: Int? { uses == Delegation.unlimited ? nil : Int(uses) }
}
