import Commands
import Node

/// How answers look to people. With `--json` none of this runs.
enum Render {
    /// The way to show one datum of a command's reply; nil: as JSON (an export is for programs).
    static func renderer(for command: String) -> ((JSONValue, Output) -> Void)? {
        if let shows = Command.named(command)?.endpoints.first?.answer.shows { return shows }
        return switch command {
        case "status": status
        case "explain": explain
        case "diagnostics": diagnostics
        case "peers": { value, output in output.line(peer(value)) }
        case "account show", "account import":
            fields([
                "accountId", "deviceId", "name", "label", "isDefault", "state", "createdAt", "addedAt",
                "schemaVersion", "syncKeyVersion", "hasPhrase", "home",
            ])
        case "account list": accountLine
        case "achievement list": achievement
        case "account create": createdAccount
        case "account remove": removedAccount
        case "device list": device
        case "device address": fields(["addresses"])
        case "config list", "config get", "config set", "config unset": setting
        case "events": { value, output in output.line(Terminal.harmless(value["text"]?.text ?? "")) }
        case _ where command.hasPrefix("group "): groupRenderer(for: command)
        case _ where ["game ", "score ", "leaderboard"].contains(where: command.hasPrefix):
            scoreRenderer(for: command)
        default: sentence(command).map { sentence in { value, output in output.line(sentence(value)) } }
        }
    }

    /// How far a backup is, in one line on a terminal that is written over and over.
    static func copyProgress(_ value: JSONValue, _ output: Output) {
        guard let pages = value["pages"]?.integer, let all = value["of"]?.integer, all > 0 else { return }
        output.raw("\r\(pages * 100 / all) % copied")
        if value["isLast"]?.boolean == true { output.raw("\r\u{1B}[K") }
    }

    private static func fields(_ names: [String]) -> (JSONValue, Output) -> Void {
        { value, output in
            let width = names.map(\.count).max() ?? 0
            for name in names {
                guard let field = value[name] else { continue }
                output.line(Output.padded(name, width) + "  " + Output.plain(field))
            }
        }
    }

    private static func setting(_ value: JSONValue, _ output: Output) {
        let name = value["key"]?.text ?? ""
        let source = value["source"]?.text
        let mark = source == "environment" ? value["variable"]?.text : source == "default" ? source : nil
        output.line("\(Output.padded(name, 24))  \(Output.plain(value["value"] ?? .null))" + (mark.map { "  (\($0))" } ?? ""))
    }

    private static func device(_ value: JSONValue, _ output: Output) {
        func time(_ name: String) -> String {
            value[name]?.integer.map { CivilTime(milliseconds: $0).text } ?? "-"
        }
        let isThis = value["thisDevice"]?.boolean == true
        let isThere = value["connected"]?.boolean == true
        let id = String((value["deviceId"]?.text ?? "").prefix(16))
        output.line(
            "\(id)  \(Output.padded(Terminal.harmless(value["name"]?.text ?? "?"), 16))  "
                + "\(Output.padded(isThis ? "this device" : isThere ? "connected" : "seen " + time("lastSeenAt"), 22))  "
                + "holds everything up to \(time("holdsUpTo"))")
    }

    /// `12.3 MB`
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1_000 else { return "\(bytes) bytes" }
        let units = ["kB", "MB", "GB", "TB"]
        var tenths = bytes / 100
        var unit = 0
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1_000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
