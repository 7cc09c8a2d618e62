import LeaderboardShare
import Node
import NodeCore

enum ScoreParameters {
    static let game = Parameter.text("--game", .text("GAME"), "the game, by name or UUID")
    static let date = day("--date", "the day in UTC (default: today)")
    static let from = day("--from", "first day, in UTC")
    static let to = day("--to", "last day, included")
    static let maximum = Parameter(
        ParameterSpec("--max-attempts", .number("N", 0...100), help: "maximum attempts")
    ) { $0.first.flatMap { UInt32($0) } }

    private static func day(_ name: String, _ help: String) -> Parameter<String> {
        .text(name, .form("YYYY-MM-DD", .day), help).requested(.day)
    }
}

extension Parameter where Value == UInt32 {
    /// A whole number that a result can have.
    static func count(_ name: String, _ help: String) -> Parameter {
        Parameter(ParameterSpec(name, .form("N", .count), help: help)) { $0.first.flatMap { UInt32($0) } }
            .requested(.value(.number("N", 0...UInt64(LeaderboardShare.Limits.scoreValue))))
    }
}

extension Call {
    var today: Day { Day(clock.wall()) }

    /// A day as `2025-01-31` or `20250131`; nil if none is given.
    func day(_ parameter: Parameter<String>) throws(NodeError) -> Day? {
        guard let text = self[parameter] else { return nil }
        guard let day = Day(text: text) else {
            throw .wrong(parameter, "must be a day such as 2025-01-31\(Wording.instead(text))")
        }
        return day
    }

    /// The range of `--from` and `--to`; nil if neither is given.
    func days() throws(NodeError) -> ClosedRange<Day>? {
        let (from, to) = (try day(ScoreParameters.from), try day(ScoreParameters.to))
        guard from != nil || to != nil else { return nil }
        let first = from ?? Self.firstDay
        let last = to ?? today + 1
        guard first <= last else {
            guard to != nil else { throw .wrong(ScoreParameters.from, "must be no later than tomorrow") }
            throw .wrong(ScoreParameters.from, "is a day after \(parameter: ScoreParameters.to.spec.name)")
        }
        return first...last
    }

    /// Before all results.
    static var firstDay: Day { Day(number: Int.min / 2) }

    /// The named game; nil if none is named.
    func game(in group: NodeGroup) throws(NodeError) -> Game? {
        guard let name = self[ScoreParameters.game] else { return nil }
        return try named(ScoreParameters.game) { () throws(NodeError) in try group.game(named: name) }
    }
}

extension NodeGroup {
    /// A game by its name, its UUID, or the beginning of that.
    func game(named name: String) throws(NodeError) -> Game {
        try Naming<Game>("game", list: "kachat-node game list", ids: { [$0.id.uuid] }, name: \.name)
            .find(name, in: zone.catalogue.games, absence: .usage)
    }
}
