extension Rule {
    private static let openWords = ["TODO", "FIXME", "XXX"]

    static let openEnds = Rule.lines("no open end without an issue", about: openWords) { file, index in
        let comment = file.comments[index]
        guard let word = openWords.first(where: { comment.contains(word: $0) }) else { return nil }
        let names = comment.split(separator: "#").dropFirst()
        return names.contains { $0.first?.isNumber == true } ? nil : "\(word) without the issue's number (#12)"
    }

    /// Folders of somebody's machine. Written in two parts, so that this file keeps its own rule.
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
