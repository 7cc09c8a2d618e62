import Testing

/// A mechanical rule of style: what it forbids, and where a file breaks it.
struct Rule: Sendable, CustomTestStringConvertible {
    let name: String
    let check: @Sendable (SourceFile, SourceTree) -> [Violation]

    var testDescription: String { name }

    /// A rule about single lines; `reason` gets the index of a line and returns what is wrong with it, if anything.
    /// - Parameter words: only files that contain one of these are checked line by line.
    static func lines(
        _ name: String, about words: [String]? = nil, reason: @escaping @Sendable (SourceFile, Int) -> String?
    ) -> Rule {
        Rule(name: name) { file, _ in
            if let words, !file.mentions(words) { return [] }
            return file.lines.indices.compactMap { index in
                reason(file, index).map { Violation(path: file.path, line: index + 1, reason: $0) }
            }
        }
    }

    static let all: [Rule] = [
        .lineLength, .fileLength, .whitespace,
        .pureModules, .moduleArrows,
        .traps, .forceUnwraps,
        .clocks, .randomness, .prints,
        .openEnds, .machinePaths, .namedPages, .testMirrors,
    ]
}
