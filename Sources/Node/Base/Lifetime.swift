import LeaderboardShare
package import Ledger
package import NodeCore

/// The lifetime of an invitation, as users write it: `30m`, `12h`, `7d`, `never`.
package enum Lifetime {
    package static let usual = "7d"

    /// When it is over; `WallTime.never` for never.
    package static func end(_ text: String, from wall: WallTime) throws(NodeError) -> WallTime {
        if text == "never" { return .never }
        guard let seconds = seconds(text) else {
            throw NodeError(
                .usage,
                """
                \(parameter: "--expires") must be minutes, hours or days such as 30m, 12h or 7d, or never\
                \(Wording.instead(text))
                """)
        }
        return wall + .seconds(seconds)
    }

    /// Nil for any other text than a number with its unit.
    static func seconds(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count > 0,
            count <= Limits.lifetimeSeconds / unit
        else { return nil }
        return count * unit
    }

    /// Milliseconds since 1970, as the API shows times; nil for never. Another member may have written any number.
    package static func milliseconds(_ end: WallTime) -> Int? { end == .never ? nil : Int(end.milliseconds) }
}

extension Role {
    /// The word used in commands.
    package var word: String { "\(self)" }

    /// A role that can be assigned; the owner's cannot.
    package init(word: String) throws(NodeError) {
        guard let role = [Role.admin, .member, .viewer].first(where: { $0.word == word }) else {
            throw NodeError(.usage, "a role is one of admin, member and viewer\(Wording.instead(word))")
        }
        self = role
    }
}
