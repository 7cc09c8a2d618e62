extension Rule {
    static let lineLength = Rule.lines("line length") { file, index in
        // Bytes come first, since counting characters takes time.
        file.lines[index].utf8.count > 120 && file.lines[index].count > 120
            ? "\(file.lines[index].count) characters; at most 120" : nil
    }

    /// Files that may be longer, each with its reason.
    static let longFiles: [String: String] = [:]

    static let fileLength = Rule(name: "file length") { file, _ in
        guard file.isSwift, longFiles[file.path] == nil else { return [] }
        let isMachine = file.baseName.contains("Machine")
        let limit = isMachine ? 1_000 : 400
        let count = file.lines.count - (file.lines.last == "" ? 1 : 0)
        guard count > limit else { return [] }
        let what = isMachine ? "a state machine" : "a file"
        return [Violation(path: file.path, line: limit + 1, reason: "\(count) lines; at most \(limit) for \(what)")]
    }

    static let whitespace = Rule(name: "whitespace") { file, _ in
        var found = file.lines.enumerated().compactMap { index, line in
            let reason: String? =
                if line.contains("\t") { "a tab" } else if line.last?.isWhitespace == true {
                    "white space at the end of the line"
                } else { nil }
            return reason.map { Violation(path: file.path, line: index + 1, reason: $0) }
        }
        if file.lines.last != "" {
            found.append(
                Violation(path: file.path, line: file.lines.count, reason: "no newline at the end of the file"))
        }
        return found
    }
}
