package import JSONLines
package import Node
import NodeModel

/// How people see the rows of a list: a table on a terminal; in a pipe a line for each row, with a tab between cells.
struct ListColumns<Value: Sendable>: Sendable {
    struct Column: Sendable {
        let column: TextTable.Column
        let cell: @Sendable (Value) -> TextTable.Cell
    }

    /// Lines of their own before and after a row.
    typealias Note = @Sendable (Value) -> String?

    let columns: [Column]
    /// Says on a terminal that the list has no rows.
    let whenEmpty: String
    var before: Note?
    var after: Note?

    init(whenEmpty: String, _ columns: [Column], before: Note? = nil, after: Note? = nil) {
        (self.whenEmpty, self.columns, self.before, self.after) = (whenEmpty, columns, before, after)
    }

    /// A table within an answer: with titles in a pipe, too.
    func showTable(_ values: [Value], _ output: Output) {
        output.table(columns.map(\.column), values.map { value in columns.map { $0.cell(value) } })
    }

    /// Rows that are at hand, as of a list.
    func show(_ values: [Value], _ output: Output) {
        var printer = ListPrinter(columns.map(\.column), whenEmpty: nil, output)
        for value in values { printer.add(rows(of: value)) }
        printer.finish(isWhole: true)
    }

    func rows(of value: Value) -> [TextTable.Row] {
        [before?(value).map { .note($0) }, .cells(columns.map { $0.cell(value) }), after?(value).map { .note($0) }]
            .compactMap(\.self)
    }
}

extension ListColumns.Column {
    static func cell(
        _ title: String, _ room: TextTable.Room = .whole, width: Int? = nil,
        _ cell: @escaping @Sendable (Value) -> TextTable.Cell
    ) -> Self {
        Self(column: TextTable.Column(title: title, room: room, width: width), cell: cell)
    }

    static func text(
        _ title: String, _ room: TextTable.Room = .whole, width: Int? = nil,
        _ text: @escaping @Sendable (Value) -> String?
    ) -> Self {
        cell(title, room, width: width) { TextTable.Cell(text($0) ?? "") }
    }

    /// The same; a short line can do without it.
    var spare: Self {
        var column = column
        column.isSpare = true
        return Self(column: column, cell: cell)
    }

    static func number(_ title: String, _ number: @escaping @Sendable (Value) -> Int?) -> Self {
        Self(column: TextTable.Column(title: title, isRight: true)) { value in
            TextTable.Cell(number(value).map(Wording.grouped) ?? "")
        }
    }

    /// A point in time, in milliseconds since 1970.
    static func time(_ title: String, _ milliseconds: @escaping @Sendable (Value) -> Int?) -> Self {
        Self(column: TextTable.Column(title: title, width: 16)) { value in
            TextTable.Cell(milliseconds(value).map(Wording.minute) ?? "-")
        }
    }
}

/// The columns of a list, whatever its rows are.
package struct ListTable: Sendable {
    private let columns: [TextTable.Column]
    private let whenEmpty: String
    private let rows: @Sendable (JSONValue) -> [TextTable.Row]?

    init<Value: Model>(_ list: ListColumns<Value>) {
        columns = list.columns.map(\.column)
        whenEmpty = list.whenEmpty
        rows = { json in (try? Value(json: json)).map(list.rows) }
    }

    package func printer(_ output: Output) -> ListPrinter { ListPrinter(columns, whenEmpty: whenEmpty, output) }

    /// The rows of one item; the item itself if this version cannot read it.
    package func rows(of json: JSONValue) -> [TextTable.Row] {
        rows(json) ?? [.note(String(decoding: json.encoded, as: UTF8.self))]
    }
}

/// Prints rows as they come, or at the end if the widths of the columns follow from them.
package struct ListPrinter {
    private let columns: [TextTable.Column]
    private let whenEmpty: String?
    private let output: Output
    private var waiting: [TextTable.Row] = []
    private var table: TextTable?

    fileprivate init(_ columns: [TextTable.Column], whenEmpty: String?, _ output: Output) {
        (self.columns, self.whenEmpty, self.output) = (columns, whenEmpty, output)
    }

    package mutating func add(_ rows: [TextTable.Row]) {
        guard output.isTerminal else { return rows.forEach(printPlain) }
        waiting += rows
        if columns.allSatisfy({ $0.width != nil }) { printWaiting() }
    }

    /// Call it after the last row.
    ///
    /// - Parameter isWhole: false if there is no list, or it was cut off: then nothing is said of an empty one.
    package mutating func finish(isWhole: Bool) {
        guard output.isTerminal else { return }
        if isWhole, waiting.isEmpty, table == nil, let whenEmpty {
            output.line(output.program.complete(whenEmpty))
        }
        printWaiting()
    }

    private mutating func printWaiting() {
        guard !waiting.isEmpty else { return }
        var table = table ?? TextTable(columns, measuring: waiting, cells: output.columns)
        for line in table.lines(of: waiting, paint: output.painted) { output.bufferedLine(line.utf8) }
        self.table = table
        waiting = []
    }

    private func printPlain(_ row: TextTable.Row) {
        let text =
            switch row {
            case .cells(let cells): cells.map(\.text).joined(separator: "\t")
            case .note(let text): Terminal.harmless(text)
            }
        output.bufferedLine(text.utf8)
    }
}
