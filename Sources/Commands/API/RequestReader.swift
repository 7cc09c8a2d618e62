import JSONLines
import Node
import NodeCore

/// Turns a request into the command's arguments, or names the wrong parameter.
struct RequestReader {
    let endpoint: Endpoint
    /// Parameters are texts as on the command line, with its bounds, which are higher since answers are streamed.
    var isOfCommandLine = false

    /// The arguments in the request's head.
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

    /// The arguments in a JSON object; no body means an empty object.
    package func arguments(body: [UInt8]) throws(Problem) -> [String: [String]] {
        let known = endpoint.parameters(in: .body)
        let value = body.isEmpty ? .object([:]) : JSONValue(json: body)
        guard case .object(let fields)? = value else { throw noDocument(body, "a JSON object", parameter: "body") }
        if case .someFields = endpoint.body, fields.isEmpty {
            throw Problem(400, "usage", "the body sets nothing", parameter: "body", allowed: names(known))
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

    /// The line of one message, with the txid of the path.
    package func message(body: [UInt8], txid: String?) throws(Problem) -> [UInt8] {
        // A message has a field called `body`, so that word must not stand for the whole.
        guard case .object(var fields)? = JSONValue(json: body) else { throw noDocument(body, "a JSON object") }
        if let txid {
            guard fields["txid"] == nil || fields["txid"]?.text?.lowercased() == txid.lowercased() else {
                throw .parameter("txid", "must be the one of the path")
            }
            fields["txid"] = .string(txid)
        }
        return JSONValue.object(fields).encoded
    }

    /// The line of an array.
    package func array(body: [UInt8]) throws(Problem) -> [UInt8] {
        guard case .array(let elements)? = JSONValue(json: body) else {
            throw noDocument(body, "a JSON array", parameter: "body")
        }
        return JSONValue.array(elements).encoded
    }

    /// Says where the body stops being JSON, if it does.
    private func noDocument(_ body: [UInt8], _ wanted: String, parameter: String? = nil) -> Problem {
        let fault = JSONFault(body).map { ": \($0.sentence)" } ?? ""
        return Problem(
            400, "usage", "the body must be \(wanted)\(fault)", parameter: parameter, allowed: wanted)
    }

    private func names(_ known: [APIParameter]) -> String {
        known.isEmpty ? "no parameters" : known.map(\.name).joined(separator: ", ")
    }

    private func unknown(_ name: String, _ known: [APIParameter]) -> Problem {
        let names = known.map(\.name)
        let nearest = EditDistance.suggestion(for: name, in: names)
        let allowed = self.names(known)
        return Problem(
            400, "usage", "unknown parameter `\(String(name.prefix(64)))`\(nearest); known: \(allowed)",
            parameter: String(name.prefix(64)), allowed: allowed)
    }
}
