import Node
import NodeCore
import NodeModel

enum DiagnosticsText {
    @Sendable static func show(_ diagnostics: Diagnostics, _ output: Output) {
        let states = diagnostics.accounts.map(\.state)
        output.line(
            "kachat-node \(diagnostics.version): \(Wording.count(states.count, "account")), "
                + (states.isEmpty ? "none open" : states.joined(separator: ", "))
                + ". Nothing here is secret: no names, no addresses, no messages.")
        output.line("")
        tree(diagnostics.json, indent: "", output)
    }

    /// Fields in the order of their names; lists of objects as tables.
    private static func tree(_ value: JSONValue, indent: String, _ output: Output) {
        guard case .object(let fields) = value else { return }
        for name in fields.keys.sorted() {
            guard let field = fields[name], field != .null else { continue }
            switch field {
            case .object(let inner):
                let words = inner.keys.sorted().map { "\($0) \(Output.plain(inner[$0] ?? .null))" }
                output.line("\(indent)\(name): " + (words.isEmpty ? "none" : words.joined(separator: ", ")))
            case .array(let elements): list(name, elements, indent: indent, output)
            default: output.line("\(indent)\(name): \(text(name, field))")
            }
        }
    }

    private static func list(_ name: String, _ elements: [JSONValue], indent: String, _ output: Output) {
        guard !elements.isEmpty else { return output.line("\(indent)\(name): none") }
        guard name != "accounts" else {
            for account in elements {
                output.line("")
                output.line("account \(account["account"]?.text ?? "")")
                tree(account, indent: indent + "  ", output)
            }
            return
        }
        guard case .object(let first)? = elements.first else {
            return output.line("\(indent)\(name): " + elements.map(Output.plain).joined(separator: ", "))
        }
        output.line("\(indent)\(name)")
        let names = first.keys.sorted()
        let rows = elements.map { element in names.map { TextTable.Cell(text($0, element[$0] ?? .null)) } }
        output.table(names.map { TextTable.Column(title: $0, room: .wrapped(at: 6)) }, rows, indent: indent + "  ")
    }

    /// A value for people: times as dates.
    private static func text(_ name: String, _ value: JSONValue) -> String {
        let isTime = name == "at" || name == "since" || name == "until" || name.hasSuffix("At") || name == "holdsUpTo"
        return isTime ? Wording.time(value.integer.map { Int($0) }) ?? "-" : Output.plain(value)
    }
}
