import NodeCore

extension Render {
    /// One line on a terminal that is written over and over.
    static func progress(_ value: JSONValue, _ output: Output) {
        if value["bytesWanted"] != nil {
            output.raw("\r\(bar(value))\u{1B}[K")
        } else if let lines = value["lines"]?.integer {
            output.raw("\r\(lines) lines taken")
        }
        if value["isLast"]?.boolean == true { output.raw("\r\u{1B}[K") }
    }

    /// `[####....]  57 %  12,345 of 21,600 messages, 40 s left`. Full only when nothing is missing: of what is there
    /// and what is known to come, by bytes.
    static func bar(_ progress: JSONValue) -> String {
        func number(_ name: String) -> Int { Int(progress[name]?.integer ?? 0) }
        let (here, wanted) = (number("bytesHere"), number("bytesWanted"))
        let all = here + wanted
        let fraction = all == 0 ? 1 : Double(here) / Double(all)
        let width = 30
        let filled = wanted > 0 ? min(Int(fraction * Double(width)), width - 1) : width
        let percent = wanted > 0 ? min(Int(fraction * 100), 99) : 100
        var text = "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: width - filled))]"
        text += padded("\(percent)", 4, right: true) + " %  "
        let messages = number("messagesHere")
        text += "\(Wording.grouped(messages)) of \(Wording.grouped(messages + number("messagesWanted"))) messages"
        let bytesPerSecond = number("bytesPerSecond")
        if bytesPerSecond > 0 {
            text += ", \(Wording.grouped(number("messagesPerSecond"))) a second (\(Wording.bytes(bytesPerSecond))/s)"
        }
        if let seconds = progress["secondsLeft"]?.integer, wanted > 0 {
            text += ", \(Wording.duration(seconds: Double(seconds))) left"
        }
        return text
    }

    /// What a bar does not tell.
    static func restoreLines(_ progress: JSONValue) -> [String] {
        func number(_ name: String) -> Int? { progress[name]?.integer.map { Int($0) } }
        var lines: [String] = []
        let wanted = BlobWords(progress)
        lines.append("\(wanted.text) still to come")
        if let here = number("daysHere"), let all = number("daysKnown"), let from = progress["completeFrom"]?.integer {
            let day = CivilTime(milliseconds: from * 1_000).text.prefix(10)
            lines.append("history is complete back to \(day): \(Wording.grouped(here)) of \(Wording.count(all, "day"))")
        }
        return lines
    }

    private struct BlobWords {
        let text: String

        init(_ progress: JSONValue) {
            let messages = Int(progress["messagesWanted"]?.integer ?? 0)
            let bytes = Wording.bytes(Int(progress["bytesWanted"]?.integer ?? 0))
            text = "\(Wording.count(messages, "message")) (\(bytes))"
        }
    }
}
