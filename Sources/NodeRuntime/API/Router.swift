/// Finds the endpoint of a request.
struct Router: Sendable {
    enum Match {
        case found(Endpoint, path: [String: String])
        /// The path is there, for these methods.
        case otherMethod([Endpoint.Method])
        case nothing
    }

    let endpoints: [Endpoint]

    /// - Parameter path: as of `HTTPTarget`. A literal part goes before a parameter.
    func match(_ method: String, _ path: [String]) -> Match {
        let wanted = method == "HEAD" ? "GET" : method
        var others: [Endpoint.Method] = []
        var best: (endpoint: Endpoint, path: [String: String])?
        for endpoint in endpoints {
            guard let values = Self.values(endpoint.path, path) else { continue }
            guard endpoint.method.rawValue == wanted else {
                if !others.contains(endpoint.method) { others.append(endpoint.method) }
                continue
            }
            if best.map({ values.count < $0.path.count }) ?? true { best = (endpoint, values) }
        }
        if let best { return .found(best.endpoint, path: best.path) }
        return others.isEmpty ? .nothing : .otherMethod(others)
    }

    /// The values of the path's parameters; nil where it is another path.
    private static func values(_ template: [Endpoint.Part], _ path: [String]) -> [String: String]? {
        guard template.count == path.count else { return nil }
        var values: [String: String] = [:]
        for (part, text) in zip(template, path) {
            switch part {
            case .literal(let word): if word != text { return nil }
            case .parameter(let name):
                if text.isEmpty { return nil }
                values[name] = text
            }
        }
        return values
    }
}
