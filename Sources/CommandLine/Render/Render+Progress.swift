import Commands
import Node
import NodeCore

extension Render {
    /// One line on a terminal that is written over and over.
    static func progress(_ value: JSONValue, _ output: Output) {
        if value["bytesWanted"] != nil {
            // One more and the terminal would begin a line, which is never written over.
            output.raw("\r\(bar(value, columns: output.columns - 1))\u{1B}[K")
        } else if let lines = value["lines"]?.integer {
            output.raw("\r\(Wording.count(Int(lines), "line")) read")
        }
        if value["isLast"]?.boolean == true { output.raw("\r\u{1B}[K") }
    }

    /// `[####....]  57 %  12,345 of 21,600 messages, 300 a second (30 kB/s), 40 s left`. Full only when nothing is
    /// missing: of what is there and what is known to come, by bytes. While records are still coming there is no bar,
    /// since it would go back; and where the line is too short, the speed is left out first.
    static func bar(_ progress: JSONValue, columns: Int = .max) -> String {
        func number(_ name: String) -> Int { Int(progress[name]?.integer ?? 0) }
        let (here, wanted) = (number("messagesHere"), number("messagesWanted"))
        if progress["counting"]?.boolean != true, number("bytesHere") + number("bytesWanted") == 0 {
            return fitting(columns, ["no messages yet"])
        }
        var speed = ""
        if number("bytesPerSecond") > 0 {
            speed = ", \(Wording.grouped(number("messagesPerSecond"))) a second"
            speed += " (\(Wording.bytes(number("bytesPerSecond")))/s)"
        }
        if progress["counting"]?.boolean == true {
            let text = "counting: \(Wording.grouped(here + wanted)) messages so far, \(Wording.grouped(here)) here"
            return fitting(columns, [text + speed, text])
        }
        var left = ""
        if let seconds = progress["secondsLeft"]?.integer, wanted > 0 {
            left = ", \(Wording.duration(seconds: Double(seconds))) left"
        }
        let messages = "\(Wording.grouped(here)) of \(Wording.grouped(here + wanted)) messages"
        let (long, short) = (filled(progress, width: 30), filled(progress, width: 16))
        return fitting(
            columns,
            [
                long + messages + speed + left, long + messages + left, short + messages + left, short + messages,
                short,
            ])
    }

    private static func fitting(_ columns: Int, _ texts: [String]) -> String {
        texts.first { $0.count <= columns } ?? String((texts.last ?? "").prefix(max(0, columns)))
    }

    private static func filled(_ progress: JSONValue, width: Int) -> String {
        func number(_ name: String) -> Int { Int(progress[name]?.integer ?? 0) }
        let (here, wanted) = (number("bytesHere"), number("bytesWanted"))
        let all = here + wanted
        let fraction = Double(here) / Double(max(all, 1))
        let filled = wanted > 0 ? min(Int(fraction * Double(width)), width - 1) : width
        let percent = wanted > 0 ? min(Int(fraction * 100), 99) : 100
        return "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: width - filled))]"
            + Output.padded("\(percent)", 4, right: true) + " %  "
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
