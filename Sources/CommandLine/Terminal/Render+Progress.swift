import Commands
import Node
import NodeModel

extension Render {
    /// Progress in one terminal line that is overwritten.
    static func progress(_ value: JSONValue, _ output: Output) {
        if let progress = try? RestoreProgress(json: value) {
            // A full line would wrap, and the part above would not be overwritten.
            output.raw("\r\(progress.bar(columns: output.columns - 1))\u{1B}[K")
        } else if let lines = value["lines"]?.integer {
            output.raw("\r\(Wording.count(Int(lines), "line")) read")
        }
        if value["isLast"]?.boolean == true { output.raw("\r\u{1B}[K") }
    }
}
