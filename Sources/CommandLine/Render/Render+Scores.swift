import Commands
import Node

/// Games, results and standings.
extension Render {
    static func scoreRenderer(for command: String) -> ((JSONValue, Output) -> Void)? {
        switch command {
        case "game add", "game list": game
        case "score post", "score list": score
        case "score remove": { value, output in output.line("Taken back: \(name(value, "gameName")), \(date(value)).") }
        case "score import":
            { value, output in
                let counts = ["added", "updated", "known", "refused"].map { "\(value[$0]?.integer ?? 0) \($0)" }
                output.line("\(value["lines"]?.integer ?? 0) lines: \(counts.joined(separator: ", "))")
            }
        case "leaderboard": board
        case "leaderboard day": day
        case "leaderboard history": history
        default: nil
        }
    }

    private static func game(_ value: JSONValue, _ output: Output) {
        let maximum = value["maxAttempts"]?.integer ?? 0
        output.line(
            "\(name(value, "gameId"))  \(Output.padded(name(value, "name"), 24))  \(name(value, "model"))"
                + (maximum > 0 ? ", at most \(maximum)" : ""))
    }

    private static func score(_ value: JSONValue, _ output: Output) {
        let group = value["group"]?.text.map { "  in \(Terminal.harmless($0))" } ?? ""
        let who = value["name"]?.text.map { Terminal.harmless($0) + "  " } ?? ""
        let heldBy = value["heldBy"]?.elements.compactMap(\.text).map { Terminal.harmless($0) }
        let holders = heldBy.map { $0.isEmpty ? "  nobody else has it" : "  held by " + $0.joined(separator: ", ") }
        output.line(
            "\(date(value))  \(who)\(Output.padded(name(value, "gameName"), 20))  \(result(value))\(group)\(holders ?? "")")
    }

    /// Columns: rank, name, points, games, wins, average, streaks, last day, marks.
    private static func board(_ value: JSONValue, _ output: Output) {
        let rows = value["rows"]?.elements ?? []
        let days =
            value["from"]?.integer.map { from in
                value["to"]?.integer == from
                    ? dayText(from) : "\(dayText(from)) to \(dayText(value["to"]?.integer ?? from))"
            } ?? "all time"
        output.line(
            "\(name(value, "title"))\(value["game"]?.text.map { ", " + Terminal.harmless($0) } ?? ""): \(days)")
        var table = [["", "", "points", "played", "won", "average", "streak", "best", "last", ""]]
        for row in rows {
            func count(_ name: String) -> String { "\(row[name]?.integer ?? 0)" }
            let late = row["late"]?.integer ?? 0
            let marks = [
                row["playedToday"]?.boolean == true ? "" : "not yet today", late > 0 ? "\(late) late" : "",
            ]
            table.append([
                count("rank"), (row["me"]?.boolean == true ? "> " : "  ") + name(row, "name"), count("points"),
                count("played"), count("wins"), average(row), count("currentStreak"), count("bestStreak"),
                row["lastPlayed"]?.integer.map(dayText) ?? "-", marks.filter { !$0.isEmpty }.joined(separator: ", "),
            ])
        }
        lines(table, left: [1, 9], output)
    }

    private static func average(_ row: JSONValue) -> String {
        let value: Double
        switch row["average"] {
        case .double(let number): value = number
        case .int(let number): value = Double(number)
        default: return "-"
        }
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func day(_ value: JSONValue, _ output: Output) {
        output.line("\(name(value, "title")), \(date(value))")
        let results = value["results"]?.elements ?? []
        if results.isEmpty { output.line("nobody played") }
        var table: [[String]] = []
        for result in results {
            let marks = [
                result["winner"]?.boolean == true ? "best" : "", result["late"]?.boolean == true ? "late" : "",
            ]
            table.append([
                (result["me"]?.boolean == true ? "> " : "  ") + name(result, "name"), name(result, "gameName"),
                Render.result(result), "\(result["points"]?.integer ?? 0)",
                marks.filter { !$0.isEmpty }.joined(separator: ", "),
            ])
        }
        lines(table, left: [0, 1, 4], output)
        let winners = (value["winners"]?.elements ?? []).map { name($0, "name") }
        if !results.isEmpty {
            output.line(winners.isEmpty ? "nobody won" : "won by " + winners.joined(separator: ", "))
        }
    }

    private static func history(_ value: JSONValue, _ output: Output) {
        let names = (value["members"]?.elements ?? []).map { name($0, "name") }
        var table = [["week"] + names]
        for week in value["weeks"]?.elements ?? [] {
            let points = (week["points"]?.elements ?? []).map { "\($0.integer ?? 0)" }
            table.append([dayText(week["week"]?.integer ?? 0)] + points)
        }
        lines(table, left: [0], output)
    }

    /// Comma-separated values (RFC 4180), a line a week.
    static func historyCSV(_ value: JSONValue, _ output: Output) {
        func field(_ text: String) -> String {
            guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
            return "\"" + text.replacing("\"", with: "\"\"") + "\""
        }
        let names = (value["members"]?.elements ?? []).map { field($0["name"]?.text ?? "") }
        output.bufferedLine((["week"] + names).joined(separator: ",").utf8)
        for week in value["weeks"]?.elements ?? [] {
            let points = (week["points"]?.elements ?? []).map { "\($0.integer ?? 0)" }
            output.bufferedLine(([dayText(week["week"]?.integer ?? 0)] + points).joined(separator: ",").utf8)
        }
    }

    // MARK: Parts

    /// Columns as wide as they need to be, numbers to the right.
    private static func lines(_ table: [[String]], left: Set<Int>, _ output: Output) {
        let columns = table.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            table.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        for row in table {
            let cells = row.enumerated().map { column, cell in
                Output.padded(cell, widths[column], right: !left.contains(column))
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            output.line(line)
        }
    }

    /// `3/6`, `X/6`, `83`
    private static func result(_ value: JSONValue) -> String {
        let maximum = value["maxAttempts"]?.integer ?? 0
        let score = value["score"]?.integer.map { "\($0)" } ?? "X"
        return maximum > 0 ? "\(score)/\(maximum)" : score
    }

    private static func date(_ value: JSONValue) -> String {
        (value["dateInt"] ?? value["date"])?.integer.map(dayText) ?? "-"
    }

    /// `20250131` as `2025-01-31`
    private static func dayText(_ number: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(number / 10_000)-\(two(number / 100 % 100))-\(two(number % 100))"
    }

    private static func name(_ value: JSONValue, _ name: String) -> String {
        Terminal.harmless(value[name]?.text ?? "-")
    }
}
