/// The rights of a token. Each endpoint requires one of them; `admin` allows everything.
package enum APIScope: String, CaseIterable, Sendable {
    case chatRead = "chat:read"
    case chatWrite = "chat:write"
    case groupsRead = "groups:read"
    case groupsWrite = "groups:write"
    case admin

    package static let names = allCases.map(\.rawValue).joined(separator: ", ")

    /// Parses a comma-separated list; without repetitions, in the order of the cases.
    package static func list(_ text: String) throws(NodeError) -> [APIScope] {
        var found: Set<APIScope> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let scope = APIScope(rawValue: String(name)) else {
                throw NodeError(.usage, "\(parameter: "--scope") `\(name)` is not one of \(names)")
            }
            found.insert(scope)
        }
        return allCases.filter(found.contains)
    }
}
