import Node
import NodeCore

extension Render {
    static func explain(_ value: JSONValue, _ output: Output) {
        output.line(capitalised(Terminal.harmless(value["sentence"]?.text ?? "")) + ".")
        if let blocks = value["blockedBy"]?.text { output.line("What blocks: \(Terminal.harmless(blocks)).") }
        if let next = time(value["nextTry"]) { output.line("Tried again at \(next).") }
        if value["txid"] != nil { copies(value, output) } else { shares(value, output) }
    }

    private static func copies(_ value: JSONValue, _ output: Output) {
        var rows = [["WHERE", "WRITTEN BY", "SEQ", "CAME", "FROM", "ALSO ON"]]
        for copy in value["copies"]?.elements ?? [] {
            let others = (copy["heldBy"]?.elements ?? []).compactMap(\.text).joined(separator: ", ")
            rows.append([
                (copy["place"]?.text ?? "") + (copy["shown"]?.boolean == true ? "" : " (further copy)"),
                Terminal.harmless(copy["device"]?.text ?? ""), copy["seq"]?.integer.map { "\($0)" } ?? "-",
                time(copy["arrivedAt"]) ?? "-", Terminal.harmless(copy["from"]?.text ?? "-"),
                others.isEmpty ? "-" : Terminal.harmless(others),
            ])
        }
        for place in value["awaited"]?.elements ?? [] {
            rows.append([
                "still to come", Terminal.harmless(place["device"]?.text ?? ""),
                place["seq"]?.integer.map { "\($0)" } ?? "-", "-", "-", "-",
            ])
        }
        guard rows.count > 1 else { return }
        output.line("")
        table(rows, output)
    }

    private static func shares(_ value: JSONValue, _ output: Output) {
        func number(_ value: JSONValue, _ name: String) -> String { Wording.grouped(Int(value[name]?.integer ?? 0)) }
        output.line("\(number(value, "messages")) messages, \(number(value, "unread")) unread.")
        var rows = [["ARCHIVED BY", "SEGMENTS", "MESSAGES", "STILL TO COME", "NEWEST"]]
        for share in value["segments"]?.elements ?? [] {
            let newest = share["newestTs"]?.integer ?? 0
            rows.append([
                Terminal.harmless(share["device"]?.text ?? ""), number(share, "segments"), number(share, "messages"),
                number(share, "wantedMessages"), CivilTime(milliseconds: newest * 1_000).text + " UTC",
            ])
        }
        guard rows.count > 1 else { return }
        output.line("")
        table(rows, output)
    }
}
