package import JSONLines

/// A line of a reply, as the command sees it.
package enum ControlReplyLine: Equatable, Sendable {
    /// JSON for standard output, still encoded: an export passes a million of these through.
    case data([UInt8])
    case note(String)
    case progress(JSONValue)
    case end(exit: Int32, code: String, message: String)

    /// Nil for what a node of another version might say.
    package init?(_ line: [UInt8]) {
        let prefix = Array("{\"data\":".utf8)
        if line.starts(with: prefix), line.last == UInt8(ascii: "}") {
            self = .data(Array(line[prefix.count..<(line.count - 1)]))
            return
        }
        guard let value = JSONValue(json: line) else { return nil }
        if let note = value["note"]?.text {
            self = .note(note)
        } else if let progress = value["progress"] {
            self = .progress(progress)
        } else if let end = value["end"], let exit = end["exit"]?.integer, let status = Int32(exactly: exit) {
            self = .end(exit: status, code: end["code"]?.text ?? "", message: end["message"]?.text ?? "")
        } else {
            return nil
        }
    }
}
