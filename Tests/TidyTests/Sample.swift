import Testing

/// A made-up file, and the line at which a rule must object to it (0: not at all).
struct Sample: Sendable, CustomTestStringConvertible {
    let rule: Rule
    let path: String
    let text: String
    let line: Int

    var testDescription: String { "\(rule.name): \(text.prefix(60).filter { $0 != "\n" })" }

    var violations: [Violation] {
        let file = SourceFile(path: path, text: text)
        let source = SourceFile(path: "Sources/Gossip/TrickleTimer.swift", text: "")
        return rule.check(file, SourceTree(files: [source, file]))
    }

    init(_ rule: Rule, _ text: String, in path: String = "Sources/Gossip/Sample.swift", line: Int = 1) {
        self.rule = rule
        self.path = path
        self.text = text.hasSuffix("¶") ? String(text.dropLast()) : text + "\n"
        self.line = line
    }

    static func accepted(_ rule: Rule, _ text: String, in path: String = "Sources/Gossip/Sample.swift") -> Sample {
        Sample(rule, text, in: path, line: 0)
    }
}
