package import JSONLines
package import Node
package import NodeModel

/// What the node answers: lines that a command prints, and one that ends them.
///
/// ```
/// {"data":…}                                      for standard output
/// {"note":"line 7: is no JSON object"}             for standard error
/// {"progress":{"lines":1024}}                      an import's lines up to here are durable
/// {"end":{"code":"done","exit":0,"message":""}}    the last one
/// ```
package struct ControlReply: Sendable {
    /// Encoded lines that wait to be sent.
    package private(set) var bytes: [UInt8] = []
    /// Set by the last line.
    package private(set) var ending: Ending?
    package var isEnded: Bool { ending != nil }

    package init() {}

    /// How the command ended.
    package struct Ending: Sendable {
        /// Nil where all is done.
        package let error: NodeError?

        package var status: ExitStatus { error?.exitStatus ?? .done }
    }

    package mutating func data(_ value: JSONValue) { line("data", value) }
    package mutating func data(_ model: any Model) { data(model.json) }
    package mutating func note(_ text: String) { line("note", .string(text)) }
    package mutating func progress(_ value: JSONValue) { line("progress", value) }

    /// - Parameter error: nil where all is done.
    package mutating func end(_ error: NodeError? = nil) {
        guard !isEnded else { return }
        let ending = Ending(error: error)
        self.ending = ending
        line(
            "end",
            .object([
                "exit": .int(Int64(ending.status.rawValue)), "code": .string(error?.code.rawValue ?? "done"),
                "message": .string(error?.message ?? ""),
            ]))
    }

    /// Takes the waiting bytes out.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private mutating func line(_ key: String, _ value: JSONValue) {
        bytes.append(contentsOf: "{\"\(key)\":".utf8)
        value.write(into: &bytes)
        bytes.append(contentsOf: "}\n".utf8)
    }
}
