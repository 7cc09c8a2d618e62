import Node

/// A command speaks of its options and places; who sent a request knows its parameters.
extension Endpoint {
    /// What is wrong with a request, with the parameters' names in place of the command's, and the first of them as the
    /// one to blame. What stands between backticks is a value or a command, and stays.
    func problem(_ error: NodeError) -> Problem {
        var told = Problem(error, naming: { name in parameters.first { $0.option == name }?.name })
        guard told.parameter == nil else { return told }
        let parts = error.message.split(separator: "`", omittingEmptySubsequences: false)
        if error.code == .usage {
            told.detail = parts.enumerated().map { index, part in
                index.isMultiple(of: 2) ? translated(part, &told.parameter) : "`\(part)`"
            }.joined()
        }
        told.allowed = told.parameter == nil ? nil : Problem.allowed(in: told.detail)
        return told
    }

    private func translated(_ text: Substring, _ first: inout String?) -> String {
        var result = ""
        var rest = text
        while let start = rest.firstIndex(where: Self.isOfName) {
            let end = rest[start...].firstIndex { !Self.isOfName($0) } ?? rest.endIndex
            let word = String(rest[start..<end])
            let parameter = parameters.first { $0.option == word }
            first = first ?? parameter?.name
            result += rest[..<start] + (parameter.map { "`\($0.name)`" } ?? word)
            rest = rest[end...]
        }
        return result + rest
    }

    private static func isOfName(_ letter: Character) -> Bool { letter == "-" || letter.isLetter }
}
