import Glibc

/// Text on a terminal: made harmless, measured in cells, and fitted to a width.
package enum Terminal {
    /// Replaces characters that could move the cursor, hide or reorder text, or end the line: control characters and
    /// Unicode's directional ones. Of a pile of combining marks, which would cover the lines around it, only a few
    /// stay.
    package static func harmless(_ text: String, keepingNewlines: Bool = false) -> String {
        var result = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = isMark(scalar) ? marks + 1 : 0
            guard marks <= Limits.combiningMarks else { continue }
            switch scalar.value {
            case 0x0A where keepingNewlines: result.append(scalar)
            case 0x09, 0x0A, 0x0D: result.append(" ")
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// The cells that a text fills: two for each wide character of East Asia and each pictograph, none for characters
    /// that only change their neighbours.
    package static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    private static func width(_ letter: Character) -> Int {
        let scalars = letter.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.value < 0x300 { return 1 }
        if isWide(first) || scalars.contains("\u{FE0F}") { return 2 }
        return isMark(first) || first.properties.generalCategory == .format ? 0 : 1
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        let category = scalar.properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }

    /// The beginning of the text with an ellipsis, if it fills more than so many cells.
    package static func shortened(_ text: String, to cells: Int) -> String {
        guard width(text) > cells else { return text }
        return beginning(text[...], of: max(0, cells - 1)) + "…"
    }

    private static func beginning(_ text: Substring, of cells: Int) -> Substring {
        var room = cells
        return text.prefix { letter in
            room -= width(letter)
            return room >= 0
        }
    }

    /// The text in lines of at most so many cells, broken at blanks, or within a word that is longer than a line.
    package static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if width(last) + 1 + width(String(word)) <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
            while width(lines[lines.count - 1]) > columns {
                let long = lines.removeLast()
                let part = beginning(long[...], of: columns)
                // A letter wider than the line has one of its own.
                let first = part.isEmpty ? long.prefix(1) : part
                lines += [String(first), String(long.dropFirst(first.count))]
                if lines[lines.count - 1].isEmpty {
                    lines.removeLast()
                    break
                }
            }
        }
        return lines
    }
}

/// Hides what is typed on the terminal of standard input, except that a line ended: secrets stay off displays,
/// recordings and the terminal's history (termios(3)).
package enum HiddenInput {
    /// The terminal's previous settings, for the signal handler.
    nonisolated(unsafe) private static var before = termios()
    private static let deadly = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// Hides nothing if standard input is not a terminal.
    package static func during<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try body() }
        let handlers = deadly.map { signal($0, restoreAndDie) }
        var hidden = before
        hidden.c_lflag = hidden.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSANOW, &before)
            for (number, handler) in zip(deadly, handlers) { signal(number, handler) }
        }
        return try body()
    }

    /// A process that dies would leave the terminal without echo. Both calls are allowed in a handler
    /// (signal-safety(7)).
    private static let restoreAndDie: @convention(c) (Int32) -> Void = { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
        signal(number, SIG_DFL)
        raise(number)
    }
}
