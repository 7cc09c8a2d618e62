import Commands
import Node

/// How answers look to people. With `--json` none of this runs.
enum Render {
    /// The way to show one datum of a command's reply; nil: as JSON (an export is for programs).
    ///
    /// - Parameter given: names of the options and places that were given.
    static func renderer(for command: String, given: Set<String> = []) -> ((JSONValue, Output) -> Void)? {
        if let command = Command.named(command) { return command.way(for: given)?.answer.shows }
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
        case "account create": createdAccount
        case "account remove": removedAccount
        case "conversation list": conversation
        case "conversation show":
            fields([
                "conversationId", "title", "contact", "participants", "messages", "unread", "placeholders", "missing",
                "markedUnread", "pinned", "muted", "archived", "lastBlockTime", "lastReadBlockTime", "lastReadBy",
            ])
        case "device list": device
        case "device address": fields(["addresses"])
        case "events": { value, output in output.line(Terminal.harmless(value["text"]?.text ?? "")) }
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

    private static func conversation(_ value: JSONValue, _ output: Output) {
        let unread = value["unread"]?.integer ?? 0
        let newest = value["lastBlockTime"]?.integer ?? value["lastSenderTs"]?.integer?.multipliedClamped(by: 1000)
        let time = newest.map { CivilTime(milliseconds: $0).text } ?? "-"
        let flags = [("pinned", "pinned"), ("muted", "muted"), ("archived", "archived"), ("markedUnread", "unread")]
            .filter { value[$0.0]?.boolean == true }.map(\.1)
        let name = value["title"]?.text ?? value["conversationId"]?.text ?? ""
        let count = "\(value["messages"]?.integer ?? 0)"
        let missed = value["placeholders"]?.integer ?? 0
        let missing = value["missing"]?.integer ?? 0
        let notes =
            flags + (missed > 0 ? ["\(missed) not here yet"] : []) + (missing > 0 ? ["\(missing) missing here"] : [])
        output.line(
            "\(Output.padded(name, 24))  \(Output.plain(value["value"] ?? .null))" + (mark.map { "  (\($0))" } ?? ""))
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
