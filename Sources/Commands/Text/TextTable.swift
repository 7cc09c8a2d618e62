package import Node

/// A table for people: a title and rows of cells, fitted to the terminal.
///
/// Columns stand in the order of their importance: where the line is too short, the last ones that can give way do so
/// first. If that is not enough, columns that can be spared are left out; then each row becomes a block of lines, a
/// line for each cell.
package struct TextTable: Sendable {
    package struct Column: Sendable {
        let title: String
        var isRight = false
        var room = Room.whole
        /// In cells; nil for the widest cell's.
        var width: Int?
        /// A short line can do without it.
        var isSpare = false

        fileprivate var least: Int? {
            switch room {
            case .whole: nil
            case .shortened(let least), .wrapped(let least): least
            }
        }
    }

    /// The treatment of a column's cells if the line is too short.
    package enum Room: Sendable {
        case whole
        /// They are cut, to so many cells of the terminal at least.
        case shortened(to: Int)
        /// They continue on further lines, of so many cells of the terminal at least.
        case wrapped(at: Int)
    }

    package struct Cell: Sendable, ExpressibleByStringInterpolation {
        let text: String
        let tone: Tone

        package init(_ text: String, _ tone: Tone = .plain) {
            self.text = Terminal.harmless(text)
            self.tone = tone
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    package enum Row: Sendable {
        case cells([Cell])
        /// A line of its own between the rows.
        case note(String)
    }

    private let columns: [Column]
    /// Nil: each row is a block.
    private let widths: [Int]?
    private let cells: Int
    private var hasBegun = false

    /// - Parameters:
    ///   - rows: all of them, to measure; none if every column has a width.
    ///   - cells: the width of the terminal.
    init(_ columns: [Column], measuring rows: [Row], cells: Int) {
        self.columns = columns
        self.cells = cells
        let known = rows.compactMap { if case .cells(let cells) = $0 { cells } else { nil } }
        var widths = columns.enumerated().map { index, column in
            column.width ?? known.map { Terminal.width($0[index].text) }.max() ?? 0
        }
        // A column in which no row has anything is left out.
        for index in widths.indices where widths[index] > 0 {
            widths[index] = max(widths[index], Terminal.width(columns[index].title))
        }
        self.widths = Self.fitted(widths, columns, cells: cells)
    }

    /// Nil if there is not room enough for the columns that cannot be spared.
    private static func fitted(_ natural: [Int], _ columns: [Column], cells: Int) -> [Int]? {
        var natural = natural
        while true {
            var widths = natural
            let shown = widths.count { $0 > 0 }
            var excess = widths.reduce(0, +) + 2 * max(0, shown - 1) - cells
            for index in columns.indices.reversed() {
                guard excess > 0, let least = columns[index].least, widths[index] > least else { continue }
                let given = min(excess, widths[index] - least)
                widths[index] -= given
                excess -= given
            }
            guard excess > 0 else { return widths }
            guard let spare = columns.indices.last(where: { columns[$0].isSpare && natural[$0] > 0 }) else {
                return nil
            }
            natural[spare] = 0
        }
    }

    /// The lines of further rows, the first time below the titles.
    ///
    /// - Parameter paint: colours a text.
    mutating func lines(of rows: [Row], paint: (String, Tone) -> String = { text, _ in text }) -> [String] {
        var lines: [String] = []
        if !hasBegun, let widths {
            let titles = zip(columns, widths).map { Cell($1 > 0 ? $0.title : "", .title) }
            lines += aligned(titles, widths, paint)
        }
        for row in rows {
            switch (row, widths) {
            case (.note(let text), _): lines += Terminal.wrapped(Terminal.harmless(text), columns: cells)
            case (.cells(let cells), let widths?): lines += aligned(cells, widths, paint)
            case (.cells(let cells), nil):
                if hasBegun { lines.append("") }
                lines += block(cells, paint)
            }
            hasBegun = true
        }
        hasBegun = true
        return lines
    }

    private func aligned(_ row: [Cell], _ widths: [Int], _ paint: (String, Tone) -> String) -> [String] {
        let parts = row.indices.map { index -> [String] in
            guard widths[index] > 0 else { return [] }
            guard case .wrapped = columns[index].room else {
                return [Terminal.shortened(row[index].text, to: widths[index])]
            }
            return Terminal.wrapped(row[index].text, columns: widths[index])
        }
        return (0..<(parts.map(\.count).max() ?? 0)).map { number in
            let texts = row.indices.filter { widths[$0] > 0 }.map { index in
                let part = number < parts[index].count ? parts[index][number] : ""
                let blanks = String(repeating: " ", count: max(0, widths[index] - Terminal.width(part)))
                let shown = part.isEmpty ? "" : paint(part, row[index].tone)
                return columns[index].isRight ? blanks + shown : shown + blanks
            }
            let line = texts.joined(separator: "  ")
            return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
        }
    }

    private func block(_ row: [Cell], _ paint: (String, Tone) -> String) -> [String] {
        // A column can be called by a member's name.
        let width = min(columns.map { Terminal.width($0.title) }.max() ?? 0, cells / 2)
        return zip(columns, row).filter { !$1.text.isEmpty }.flatMap { column, cell in
            let parts = Terminal.wrapped(cell.text, columns: max(8, cells - width - 2))
            return parts.enumerated().map { number, part in
                let title = number == 0 ? Terminal.shortened(column.title, to: width) : ""
                let blanks = String(repeating: " ", count: width - Terminal.width(title) + 2)
                return paint(title, .title) + blanks + paint(part, cell.tone)
            }
        }
    }
}

extension Output {
    /// A table within an answer.
    func table(_ columns: [TextTable.Column], _ rows: [[TextTable.Cell]], indent: String = "") {
        guard !rows.isEmpty else { return }
        let rows = rows.map { TextTable.Row.cells($0) }
        let cells = isTerminal ? self.columns - indent.count : .max
        var table = TextTable(columns, measuring: rows, cells: cells)
        for text in table.lines(of: rows, paint: painted) { line(text.isEmpty ? "" : indent + text) }
    }
}
