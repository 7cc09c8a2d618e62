package import JSONLines
package import Node
package import NodeModel

/// How answers look on a terminal where no sentence says more.
extension Output {
    /// A line for each of these fields that is there.
    package func fields(_ value: any Model, _ names: [String]) {
        let fields = value.jsonFields
        let width = names.map(\.count).max() ?? 0
        for name in names {
            guard let field = fields[name] else { continue }
            line(Self.padded(name, width) + "  " + Self.plain(field))
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
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return right ? blanks + text : text + blanks
    }
}
