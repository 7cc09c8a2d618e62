import Node

/// Makes the command's arguments of what a request says, or names the parameter that is wrong.
struct RequestReader {
    let endpoint: Endpoint
    /// Parameters are texts as on the command line, with its bounds: what comes is read as it comes, so that no page of
    /// it has to be held.
    var isOfCommandLine = false

    /// Those of the head.
    package func arguments(path: [String: String], query: [HTTPTarget.Item]) throws(Problem) -> [String: [String]] {
        var arguments = endpoint.fixed
        for parameter in endpoint.parameters(in: .path) {
            guard let text = path[parameter.name] else { throw .notFound }
            arguments.merge(try read(text, parameter)) { $1 }
        }
        let known = endpoint.parameters(in: .query)
        var seen: Set<String> = []
        for item in query {
            guard let parameter = known.first(where: { $0.name == item.name }) else { throw unknown(item.name, known) }
            let isFirst = seen.insert(item.name).inserted
            guard isFirst || isOfCommandLine && parameter.isRepeatable else {
                throw .parameter(item.name, "must be given once")
            }
            arguments.merge(try read(item.value, parameter)) { $0 + $1 }
        }
        for parameter in known where !seen.contains(parameter.name) {
            if parameter.isRequired { throw .parameter(parameter.name, "must be given") }
            if let standard = parameter.standard, !isOfCommandLine {
                arguments.merge(try parameter.arguments(text: standard)) { $1 }
            }
        }
        return arguments
    }

    private func read(_ text: String, _ parameter: APIParameter) throws(Problem) -> [String: [String]] {
        isOfCommandLine ? try parameter.arguments(ofCommandLine: .string(text)) : try parameter.arguments(text: text)
    }

    /// Those of a JSON object; no body is as good as an empty one.
    package func arguments(body: [UInt8]) throws(Problem) -> [String: [String]] {
        let known = endpoint.parameters(in: .body)
        let value = body.isEmpty ? .object([:]) : JSONValue(json: body)
        guard case .object(let fields)? = value else {
            throw Problem(400, "usage", "the body must be a JSON object", parameter: "body", allowed: "a JSON object")
        }
        if case .someFields = endpoint.body, fields.isEmpty {
            throw Problem(400, "usage", "the body names nothing to set", parameter: "body", allowed: names(known))
        }
        var arguments: [String: [String]] = [:]
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard let parameter = known.first(where: { $0.name == name }) else { throw unknown(name, known) }
            let read =
                isOfCommandLine ? try parameter.arguments(ofCommandLine: value) : try parameter.arguments(json: value)
            arguments.merge(read) { $1 }
        }
        for parameter in known where parameter.isRequired && fields[parameter.name] == nil {
            throw .parameter(parameter.name, "must be given")
        }
        return arguments
    }

    /// The lines of one message, whose txid may stand in the path only.
    package func message(body: [UInt8], txid: String?) throws(Problem) -> [UInt8] {
        guard case .object(var fields)? = JSONValue(json: body) else {
            throw Problem(400, "usage", "the body must be a JSON object", parameter: "body", allowed: "a message")
        }
        if let txid {
            guard fields["txid"] == nil || fields["txid"]?.text?.lowercased() == txid.lowercased() else {
                throw .parameter("txid", "must be the one of the path")
            }
            fields["txid"] = .string(txid)
        }
        return JSONValue.object(fields).encoded
    }

    /// The one line of an array.
    package func array(body: [UInt8]) throws(Problem) -> [UInt8] {
        guard case .array(let elements)? = JSONValue(json: body) else {
            throw Problem(400, "usage", "the body must be a JSON array", parameter: "body", allowed: "a JSON array")
        }
        return JSONValue.array(elements).encoded
    }

    private func names(_ known: [APIParameter]) -> String {
        known.isEmpty ? "no parameters" : known.map(\.name).joined(separator: ", ")
    }

    private func unknown(_ name: String, _ known: [APIParameter]) -> Problem {
        let names = known.map(\.name)
        let nearest = EditDistance.nearest(to: name, in: names).map { " (did you mean `\($0)`?)" } ?? ""
        let allowed = self.names(known)
        return Problem(
            400, "usage", "there is no parameter `\(String(name.prefix(64)))` here\(nearest); there are: \(allowed)",
            parameter: String(name.prefix(64)), allowed: allowed)
    }
}
