#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One file under the rules.
struct SourceFile {
    /// Relative to the package's root, as in `Sources/Gossip/Limits.swift`.
    let path: String
    let lines: [String]
    private let text: String
    private let lexed: LexedText

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = LexedText.lines(Array(text.utf8))
        lexed = LexedText(text)
    }

    /// The lines without comments and without the contents of string literals.
    var code: [String] { lexed.code }
    /// The lines with only their comments.
    var comments: [String] { lexed.comments }

    /// Whether one of the words occurs anywhere in the file, also as part of a longer one. Uses strstr(3), since most
    /// files have none of them and an unoptimised search takes seconds.
    func mentions(_ words: [String]) -> Bool {
        text.withCString { text in words.contains { strstr(text, $0) != nil } }
    }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isSource: Bool { path.hasPrefix("Sources/") || path.hasPrefix("Tools/") }
    var isTest: Bool { path.hasPrefix("Tests/") }

    /// The folder right below `Sources`, `Tools` or `Tests`, which is the target's name.
    var target: String? {
        let parts = path.split(separator: "/")
        return (isSource || isTest) && parts.count > 2 ? String(parts[1]) : nil
    }

    /// The name without folders and extension: `Store+Scrub` for `Sources/SyncState/Store/Store+Scrub.swift`.
    var baseName: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".swift") ? String(name.dropLast(6)) : name
    }

    /// The modules that the file imports, with their lines (from 1).
    var imports: [(module: String, line: Int)] {
        code.enumerated().compactMap { index, text in
            let words = text.split(whereSeparator: { $0 == " " || $0 == ";" })
            guard let keyword = words.firstIndex(of: "import") else { return nil }
            let modifiers = ["public", "package", "internal", "fileprivate", "private"]
            guard words[..<keyword].allSatisfy({ $0.hasPrefix("@") || modifiers.contains(String($0)) }) else {
                return nil
            }
            let kinds = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias"]
            let named = words[(keyword + 1)...].first { !kinds.contains(String($0)) }
            return named.map { (String($0.prefix { $0 != "." }), index + 1) }
        }
    }

    /// Whether this line, or the comment lines right above it, say `// invariant:` and why it cannot fail.
    func documentsInvariant(at index: Int) -> Bool {
        var current = index
        repeat {
            if comments[current].contains("// invariant:") { return true }
            current -= 1
        } while current >= 0 && lines[current].drop(while: { $0 == " " }).hasPrefix("//")
        return false
    }
}
