import JSONLines

/// The figures of a run, as a table or as JSON.
struct Report {
    var figures: [Figure] = []

    var json: String {
        let rows = figures.map { figure in
            JSONValue.object([
                "row": .string(figure.row), "what": .string(figure.what), "value": .double(figure.value),
                "unit": .string(figure.unit), "limit": figure.limit.map { .double($0) } ?? .null,
                "goal": .optional(figure.goal?.text),
                "reached": figure.isReached.map { .bool($0) } ?? .null,
            ])
        }
        return String(decoding: JSONValue.object(["figures": .array(rows)]).encoded, as: UTF8.self)
    }

    var table: String {
        var lines = [["row", "what", "measured", "limit", "ratio", "to reach", ""]]
        for figure in figures {
            lines.append([
                figure.row, figure.what, "\(figure.value.short) \(figure.unit)", figure.limit?.short ?? "",
                figure.limit.map { (figure.value / $0).short } ?? "", figure.goal?.text ?? "",
                figure.isReached.map { $0 ? "ok" : "missed" } ?? "",
            ])
        }
        let widths = (0..<7).map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
