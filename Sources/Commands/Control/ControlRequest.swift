package import Node

/// What a command asks of the node: the first line on a control connection.
///
/// ```
/// {"arguments":{"--limit":["50"],"--conversation":["alice"]},"command":"message list","protocol":1}
/// ```
package struct ControlRequest: Equatable, Sendable {
    /// Raised when requests or replies change so that an older program would misread them.
    package static let version: Int64 = 1

    package let command: String
    package var arguments: [String: [String]]

    package init(command: String, arguments: [String: [String]]) {
        self.command = command
        self.arguments = arguments
    }

    package init(_ parsed: ParsedCommand) {
        self.init(command: parsed.name, arguments: parsed.values)
    }

    /// Understands a line, or says what is wrong with it.
    package init(line: [UInt8]) throws(NodeError) {
        guard let value = JSONValue(json: line), case .object(let fields) = value else {
            throw NodeError(.protocolError, "the request is no JSON object")
        }
        guard fields["protocol"]?.integer == ControlRequest.version else {
            throw NodeError(
                .protocolError,
                "the running node and this command are of different versions: restart the node (`kachat-node run`)")
        }
        guard let command = fields["command"]?.text, case .object(let given)? = fields["arguments"] else {
            throw NodeError(.protocolError, "the request lacks `command` or `arguments`")
        }
        var arguments: [String: [String]] = [:]
        for (name, values) in given { arguments[name] = values.elements.compactMap(\.text) }
        self.init(command: command, arguments: arguments)
    }

    package var encoded: [UInt8] {
        let fields = arguments.mapValues { JSONValue.array($0.map { .string($0) }) }
        return JSONValue.object([
            "protocol": .int(ControlRequest.version), "command": .string(command), "arguments": .object(fields),
        ]).encoded
    }

    package func text(_ name: String) -> String? { arguments[name]?.first }
    package func number(_ name: String) -> UInt64? { text(name).flatMap(UInt64.init) }
    package func has(_ name: String) -> Bool { arguments[name] != nil }

    /// It takes as long as the user likes: it follows or waits, or takes or gives lines at the user's pace.
    package var isLasting: Bool {
        has("--follow") || has("--wait") || ["import", "export"].contains(command.split(separator: " ").last)
    }
}
