import LeaderboardShare
import Node
import NodeCore

/// Arguments of commands about scores, understood.
struct ScoreRequest {
    package let request: ControlRequest
    package let wall: WallTime

    /// A day as `20250131` or `2025-01-31`, or the default; nil where there is neither.
    package func day(_ name: String, or usual: Day? = nil) throws(NodeError) -> Day? {
        guard let text = request.text(name) else { return usual }
        guard let day = Day(text: text) else {
            throw NodeError(.usage, "\(name): there is no day `\(text)`: write it as 20250131")
        }
        return day
    }

    /// The days that are asked for; nil for all.
    package func period(usual: StandingsPeriod) throws(NodeError) -> StandingsPeriod {
        let (from, to) = (try day("--from"), try day("--to"))
        if from != nil || to != nil {
            guard !request.has("--period") else {
                throw NodeError(.usage, "--period and --from/--to exclude each other")
            }
            let first = from ?? Day(number: Int.min / 2)
            let last = to ?? Day(wall) + 1
            guard first <= last else { throw NodeError(.usage, "--from is behind --to") }
            return .days(first...last)
        }
        guard let name = request.text("--period") else { return usual }
        guard let period = StandingsPeriod(name: name) else {
            throw NodeError(
                .usage, "--period must be today, yesterday, week, last-week, month or all, not `\(name)`")
        }
        return period
    }

    /// A whole number that is not negative; nil where the option is absent.
    package func number(_ name: String) throws(NodeError) -> UInt32? {
        guard let text = request.text(name) else { return nil }
        guard let value = UInt32(text), value <= TextForm.most else {
            throw NodeError(.usage, "\(name) must be a whole number from 0 to \(TextForm.most), not `\(text)`")
        }
        return value
    }

    /// The game that is named; nil where none is.
    package func game(in group: NodeGroup) throws(NodeError) -> Game? {
        guard let name = request.text("--game") else { return nil }
        return try Self.game(name, in: group)
    }

    package static func game(_ name: String, in group: NodeGroup) throws(NodeError) -> Game {
        let catalogue = group.zone.catalogue
        if let id = GameID(uuid: name), let game = catalogue[id] { return game }
        if let game = catalogue.game(named: name) { return game }
        let known = catalogue.games.map { Terminal.harmless($0.name) }.joined(separator: ", ")
        throw NodeError(
            .usage,
            "the game `\(name)` is not in the catalogue of \(group.title)"
                + (known.isEmpty ? ": `kachat-node game add` enters it" : ", which has: \(known)"))
    }
}
