import Node

/// Makes the command's arguments of what a request says, or names the parameter that is wrong.
struct RequestReader {
    let endpoint: Endpoint

    /// Those of the head.
    package func arguments(path: [String: String], query: [HTTPTarget.Item]) throws(Problem) -> [String: [String]] {
        var arguments = endpoint.fixed
        for parameter in endpoint.parameters(in: .path) {
            guard let text = path[parameter.name] else { throw .notFound }
            arguments.merge(try parameter.arguments(text: text)) { $1 }
        }
        let known = endpoint.parameters(in: .query)
        var seen: Set<String> = []
        for item in query {
            guard let parameter = known.first(where: { $0.name == item.name }) else { throw unknown(item.name, known) }
            guard seen.insert(item.name).inserted else { throw .parameter(item.name, "must be given once") }
            arguments.merge(try parameter.arguments(text: item.value)) { $1 }
        }
        for parameter in known where !seen.contains(parameter.name) {
            if parameter.isRequired { throw .parameter(parameter.name, "must be given") }
            if let standard = parameter.standard {
                arguments.merge(try parameter.arguments(text: standard)) { $1 }
            }
        }
        return arguments
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
            arguments.merge(try parameter.arguments(json: value)) { $1 }
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
