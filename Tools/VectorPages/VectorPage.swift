package import NodeCore

/// A page of test vectors as JSON: sections of names and texts, in the order in which they were added.
package struct VectorPage {
    private var sections: [(name: String, entries: [String])] = []

    package init() {}

    package mutating func section(_ name: String) { sections.append((name, [])) }

    package mutating func add(_ name: String, _ bytes: [UInt8]) { add(name, text: Hex.encode(bytes)) }

    package mutating func add(_ name: String, _ secret: Secret) {
        add(name, secret.withUnsafeBytes { [UInt8]($0) })
    }

    /// - Parameter text: must contain nothing that JSON escapes.
    package mutating func add(_ name: String, text: String) {
        sections[sections.count - 1].entries.append("    \"\(name)\": \"\(text)\"")
    }

    package var text: String {
        let parts = sections.map { "  \"\($0.name)\": {\n" + $0.entries.joined(separator: ",\n") + "\n  }" }
        return "{\n" + parts.joined(separator: ",\n") + "\n}\n"
    }
}
