import Commands
import Node

/// What is shown of an answer beside its own words, where that depends on the terminal. With `--json` none of it runs.
enum Render {
    /// How far a backup is, in one line on a terminal that is written over and over.
    static func copyProgress(_ value: JSONValue, _ output: Output) {
        guard let pages = value["pages"]?.integer, let all = value["of"]?.integer, all > 0 else { return }
        output.raw("\r\(pages * 100 / all) % copied")
        if value["isLast"]?.boolean == true { output.raw("\r\u{1B}[K") }
    }

    /// `12.3 MB`
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1_000 else { return "\(bytes) bytes" }
        let units = ["kB", "MB", "GB", "TB"]
        var tenths = bytes / 100
        var unit = 0
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1_000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
