import NodeCore
import Testing

@testable import Commands
@testable import Node

@Suite struct TextTableTests {
    private static let columns = [
        TextTable.Column(title: "NAME", room: .shortened(to: 6)),
        TextTable.Column(title: "COUNT", isRight: true),
        TextTable.Column(title: "NOTE", room: .wrapped(at: 8)),
    ]

    private func lines(_ rows: [[TextTable.Cell]], _ cells: Int) -> [String] {
        let rows = rows.map { TextTable.Row.cells($0) }
        var table = TextTable(Self.columns, measuring: rows, cells: cells)
        return table.lines(of: rows)
    }

    @Test func columnsAreAsWideAsTheirCells() {
        #expect(
            lines([["alice", "7", ""], ["電話", "1,204", "two wide letters"]], 80) == [
                "NAME   COUNT  NOTE", "alice      7", "電話   1,204  two wide letters",
            ])
    }

    @Test func aColumnWithoutAnythingIsLeftOut() {
        #expect(lines([["alice", "7", ""]], 80) == ["NAME   COUNT", "alice      7"])
    }

    /// The last column shrinks first, then the one before it.
    @Test func theLeastImportantColumnGivesWay() {
        let row: [TextTable.Cell] = ["Wilhelmine", "7", "one two three four"]
        #expect(
            lines([row], 33) == [
                "NAME        COUNT  NOTE", "Wilhelmine      7  one two three", "                   four",
            ])
        #expect(
            lines([row], 25) == [
                "NAME      COUNT  NOTE", "Wilhelm…      7  one two", "                 three", "                 four",
            ])
    }

    /// If shrinking is not enough, dispensable columns go and give the others their room.
    @Test func aColumnThatCanBeSparedGoes() {
        var columns = Self.columns
        columns[1].isSpare = true
        let rows: [TextTable.Row] = [.cells(["Wilhelmine", "7", "one two three"])]
        func lines(_ cells: Int) -> [String] {
            var table = TextTable(columns, measuring: rows, cells: cells)
            return table.lines(of: rows)
        }
        #expect(lines(25).first == "NAME      COUNT  NOTE")
        #expect(lines(22) == ["NAME        NOTE", "Wilhelmine  one two", "            three"])
        // A column whose cells would take several lines leaves none behind.
        columns[2].isSpare = true
        #expect(lines(18) == ["NAME        COUNT", "Wilhelmine      7"])
    }

    @Test func aRowBecomesABlockWhereNothingElseFits() {
        #expect(
            lines([["alice", "7", "one two"], ["bo", "12", ""]], 18) == [
                "NAME   alice", "COUNT  7", "NOTE   one two", "", "NAME   bo", "COUNT  12",
            ])
    }

    /// A board has a column for each member, titled by the member's name, which may be wide.
    @Test func noTitleIsWiderThanItsBlock() {
        let columns = [TextTable.Column(title: "WEEK"), TextTable.Column(title: String(repeating: "W", count: 50))]
        let rows: [TextTable.Row] = [.cells(["2026-11-23", "4"])]
        var table = TextTable(columns, measuring: rows, cells: 40)
        let lines = table.lines(of: rows)
        #expect(lines.allSatisfy { Terminal.width($0) <= 40 }, "\(lines)")
        #expect(lines.first?.hasSuffix("2026-11-23") == true)
    }

    /// Whatever others have written, no line is wider than the terminal, and the columns are aligned.
    @Test func noTextBreaksTheAlignment() {
        var random = SeededRandom(seed: 52)
        let parts = [
            "a", "bob ", "電", "話", "👩‍👩‍👧", "e\u{301}", "\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "عائشة",
            "\u{202E}", "\u{1B}[31m",
            "🇩🇪", "❤️", "\n", "\t", " ", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "\u{200B}", "한국어",
        ]
        func text() -> TextTable.Cell {
            TextTable.Cell(
                (0..<Int.random(in: 0...9, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
                    .joined())
        }
        for cells in [18, 24, 40, 80, 200] {
            for _ in 0..<40 {
                let rows = (0..<6).map { _ in
                    [text(), TextTable.Cell("\(Int.random(in: 0...9_999, using: &random))"), text()]
                }
                let lines = lines(rows, cells)
                for line in lines {
                    #expect(Terminal.width(line) <= cells, "\(line)")
                    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }, "\(line)")
                }
            }
        }
    }

    @Test func coloursTakeNoRoom() {
        let rows = [TextTable.Row.cells([TextTable.Cell("lost", .bad), "1", ""]), .note("-- 2 missing --")]
        var table = TextTable(Self.columns, measuring: rows, cells: 80)
        let lines = table.lines(of: rows) { "<\($1)>\($0)<>" }
        #expect(lines == ["<title>NAME<>  <title>COUNT<>", "<bad>lost<>      <plain>1<>", "-- 2 missing --"])
    }
}
