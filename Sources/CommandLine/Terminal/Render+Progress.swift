import Commands
import Node
import NodeModel

extension Render {
    /// One line on a terminal that is written over and over.
    static func progress(_ value: JSONValue, _ output: Output) {
        if let progress = try? RestoreProgress(json: value) {
            // One more and the terminal would begin a line, which is never written over.
            output.raw("\r\(progress.bar(columns: output.columns - 1))\u{1B}[K")
        } else if let lines = value["lines"]?.integer {
            output.raw("\r\(Wording.count(Int(lines), "line")) read")
        }
        if value["isLast"]?.boolean == true { output.raw("\r\u{1B}[K") }
    }
}
