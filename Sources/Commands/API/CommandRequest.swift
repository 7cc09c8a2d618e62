package import JSONLines
package import Node
import NodeModel

/// A command line as an HTTP request to a node, with its answer streamed.
package struct CommandRequest: Sendable {
    package enum Body: Sendable {
        case none
        case fields(JSONValue)
        /// The command's whole input.
        case document
        /// The command's input, in batches of lines.
        case lines
    }

    /// The body, if the arguments are all of it.
    package var fixedBody: [UInt8]? { if case .fields(let fields) = body { fields.encoded } else { nil } }

    package let method: String
    /// Path and query, escaped.
    package let target: String
    package let body: Body
    /// The media type of the body; nil for no body.
    package let bodyType: String?
    package let answer: Answer

    /// - Throws: `usage` if the arguments are not enough for any of the command's endpoints.
    package init(_ request: Invocation) throws(NodeError) {
        guard let command = Command.named(request.command) else {
            throw NodeError(.usage, "the node knows no command `\(request.command)`")
        }
        // Arguments that no endpoint takes, such as `--yes`, concern the command line alone.
        let known = command.endpoints.reduce(into: Set<String>()) { $0.formUnion($1.options) }
        let arguments = request.arguments.filter { known.contains($0.key) }
        guard let endpoint = command.way(for: Set(arguments.keys)) else {
            let ways = command.endpoints.compactMap { $0.lacks(arguments) }.joined(separator: ", or ")
            // A way that lacks nothing does not take one of them.
            let complete = command.endpoints.first { $0.lacks(arguments) == nil }
            let others = complete.map { Set(arguments.keys).subtracting($0.options).sorted() }
            let complaint: String
            if let others, ways.isEmpty {
                let rest = Set(arguments.keys).subtracting(others).filter { $0.hasPrefix("--") }.sorted()
                complaint = "does not take \((others + rest).joined(separator: " ")) together"
            } else if let others {
                complaint = "takes \(others.joined(separator: " ")) only with \(ways)"
            } else {
                complaint = "needs \(ways)"
            }
            throw NodeError(.usage, "\(command.name) \(complaint)")
        }
        self.init(endpoint, arguments)
        if case .someFields = endpoint.body, case .fields(.object([:])) = body {
            let options = endpoint.parameters(in: .body).compactMap(\.option).joined(separator: ", ")
            throw NodeError(.usage, "\(command.name) needs at least one of \(options)")
        }
    }

    /// The target of a request for a part of the lines.
    package func part(firstLine: Int, isLast: Bool) -> String {
        guard firstLine > 1 || !isLast else { return target }
        return target + (target.contains("?") ? "&" : "?") + "firstLine=\(firstLine)" + (isLast ? "" : "&more=true")
    }

    private init(_ endpoint: Endpoint, _ arguments: [String: [String]]) {
        method = endpoint.method.rawValue
        answer = endpoint.answer
        bodyType = endpoint.bodyType
        func texts(_ parameter: APIParameter) -> [String]? { parameter.option.flatMap { arguments[$0] } }
        var target = ""
        for part in endpoint.path {
            switch part {
            case .literal(let word): target += "/" + word
            case .parameter(let name):
                let parameter = endpoint.parameters(in: .path).first { $0.name == name }
                target += "/" + PercentEncoding.escaped(parameter.flatMap(texts)?.first ?? parameter?.standard ?? "")
            }
        }
        var query: [String] = []
        for parameter in endpoint.parameters(in: .query) {
            for text in texts(parameter) ?? [] {
                query.append("\(parameter.name)=" + (parameter.isSwitch ? "true" : PercentEncoding.escaped(text)))
            }
        }
        self.target = target + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        switch endpoint.body {
        case .none: body = .none
        case .lines: body = .lines
        case .message, .array, .text: body = .document
        case .fields, .someFields:
            var fields: [String: JSONValue] = [:]
            for parameter in endpoint.parameters(in: .body) {
                if case .clearable(let option) = parameter.form, arguments[option] != nil {
                    // Clearing takes precedence over a given value.
                    fields[parameter.name] = .null
                    continue
                }
                guard let given = texts(parameter) else { continue }
                fields[parameter.name] =
                    parameter.isSwitch
                    ? .bool(true) : given.count == 1 ? .string(given[0]) : .array(given.map { .string($0) })
            }
            body = .fields(.object(fields))
        }
    }
}

extension Endpoint {
    /// The missing arguments, as in usage lines; nil if something else is wrong.
    fileprivate func lacks(_ arguments: [String: [String]]) -> String? {
        let needed = parameters.filter { $0.isRequired && $0.option.map { arguments[$0] == nil } ?? false }
        let missing = needed.map(\.usage) + fixed.filter { arguments[$0.key] != $0.value }.keys.sorted()
        return missing.isEmpty ? nil : missing.joined(separator: " ")
    }
}
