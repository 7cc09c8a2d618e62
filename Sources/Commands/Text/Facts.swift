package import JSONLines
package import Node

/// Names and texts below each other.
extension Output {
    /// A line for each fact that is known: its name, and its text, which continues below itself.
    package func facts(_ facts: [(name: String, text: String?)]) {
        let width = facts.map { Terminal.width($0.name) }.max() ?? 0
        for case (let name, let text?) in facts {
            let text = Terminal.harmless(text)
            let parts = isTerminal ? Terminal.wrapped(text, columns: max(8, columns - width - 2)) : [text]
            for (number, part) in parts.enumerated() {
                line(Self.padded(number == 0 ? name : "", width) + "  " + part)
            }
        }
    }

    package static func plain(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): Terminal.harmless(text)
        case .null: "-"
        default: Terminal.harmless(String(decoding: value.encoded, as: UTF8.self))
        }
    }

    package static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - Terminal.width(text)))
        return right ? blanks + text : text + blanks
    }
}

extension Wording {
    /// `2026-11-21 02:12`, in UTC.
    ///
    /// - Parameter milliseconds: since 1970.
    static func minute(_ milliseconds: Int) -> String { CivilTime(milliseconds: Int64(milliseconds)).text }

    /// The same with ` UTC`.
    static func time(_ milliseconds: Int?) -> String? { milliseconds.map { minute($0) + " UTC" } }
}
