package import Node

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
    package struct Ending: Equatable, Sendable {
        package let status: ExitStatus
        package let code: NodeError.Code
        package var message: String
        /// The parameter of a request that is to blame, where it came by the API.
        var parameter: String?
    }

    package mutating func data(_ value: JSONValue) { line("data", value) }
    package mutating func note(_ text: String) { line("note", .string(text)) }
    package mutating func progress(_ value: JSONValue) { line("progress", value) }

    package mutating func end(_ status: ExitStatus, code: String = "done", message: String = "") {
        guard !isEnded else { return }
        ending = Ending(status: status, code: NodeError.Code(rawValue: code), message: message)
        line(
            "end",
            .object([
                "exit": .int(Int64(status.rawValue)), "code": .string(code), "message": .string(message),
            ]))
    }

    package mutating func end(_ error: NodeError) {
        end(error.exitStatus, code: error.code.rawValue, message: error.message)
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
