import Testing

/// A mechanical rule of style: what it forbids, and where a file breaks it.
struct Rule: Sendable, CustomTestStringConvertible {
    let name: String
    let check: @Sendable (SourceFile, SourceTree) -> [Violation]

    var testDescription: String { name }

    /// A rule about single lines; `reason` gets the index of a line and says what is wrong with it, if anything.
    static func lines(
        _ name: String, reason: @escaping @Sendable (SourceFile, Int) -> String?
    ) -> Rule {
        Rule(name: name) { file, _ in
            file.lines.indices.compactMap { index in
                reason(file, index).map { Violation(path: file.path, line: index + 1, reason: $0) }
            }
        }
    }

    static let all: [Rule] = [
        .lineLength, .fileLength, .whitespace,
        .pureModules, .moduleArrows,
        .traps, .forceUnwraps,
        .clocks, .randomness, .prints,
        .openEnds, .machinePaths, .testMirrors,
    ]
}
