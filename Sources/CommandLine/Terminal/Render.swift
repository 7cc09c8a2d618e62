import Commands
import Node

/// Terminal output that an answer's own text does not cover. None of it runs with `--json`.
enum Render {
    /// Progress of a backup in one terminal line that is overwritten.
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
