extension Rule {
    private static let openWords = ["TODO", "FIXME", "XXX"]

    static let openEnds = Rule.lines("no open end without an issue", about: openWords) { file, index in
        let comment = file.comments[index]
        guard let word = openWords.first(where: { comment.contains(word: $0) }) else { return nil }
        let names = comment.split(separator: "#").dropFirst()
        return names.contains { $0.first?.isNumber == true } ? nil : "\(word) without the issue's number (#12)"
    }

    /// The project's pages, which comments may name.
    private static let pages = [
        "README.md", "ARCHITECTURE.md", "HANDBOOK.md", "docs/PROTOCOL.md", "docs/PROTOCOL-CHAT.md",
        "docs/PROTOCOL-JOINING.md", "docs/PROTOCOL-SCORES.md", "docs/STORAGE.md", "docs/TESTING.md", "docs/COMMANDS.md",
        "docs/SCRIPTING.md", "docs/PERFORMANCE.md", "docs/SYNC.md", "docs/API.md",
    ]

    static let namedPages = Rule.lines("comments name the project's own pages", about: [".md", "DESIGN"]) {
        file, index in
        let comment = file.comments[index]
        if comment.contains("DESIGN") { return "DESIGN is no page of the project" }
        let words = comment.split { !($0.isLetter || $0.isNumber || "./-_".contains($0)) }
        return words.map { $0.hasSuffix(".") ? $0.dropLast() : $0 }
            .first { $0.hasSuffix(".md") && !pages.contains(String($0)) }
            .map { "\($0) is no page of the project" }
    }

    /// Folders of one person's machine. Written in two parts, so that this file obeys its own rule.
    private static let machineFolders = ["home", "Users", "work", "root"].map { "/" + $0 + "/" }

    static let machinePaths = Rule.lines("no path of one machine", about: machineFolders) { file, index in
        let line = file.lines[index]
        return machineFolders.first { folder in
            line.ranges(of: folder).contains { range in
                // `Tests/home/…` is relative, and so is `<folder>/work/…`.
                line[..<range.lowerBound].last.map { " \"'(=:,`".contains($0) } ?? true
            }
        }
        .map { "a path of one machine (\($0)…)" }
    }
}
