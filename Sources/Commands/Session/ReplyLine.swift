package import JSONLines
package import Node

/// An item of a command's reply, as a line of a streamed answer (docs/API.md, "As it comes").
///
/// ```
/// {"data":…}                                      for standard output
/// {"note":"line 7: is not a JSON object"}          for standard error
/// {"progress":{"lines":1024}}                      an import's lines up to here are durable
/// {"cursor":"500"}                                 a list continues there
/// {"end":{"code":"done","exit":0,"message":""}}    the last line
/// ```
package enum ReplyLine: Equatable, Sendable {
    /// Encoded: an export passes a million of these through.
    case data([UInt8])
    case note(String)
    case progress(JSONValue)
    case more(String)
    case end(exit: Int32, code: String, message: String)

    package init(_ item: CommandReply.Item) {
        self =
            switch item {
            case .data(let datum): .data(datum.json)
            case .note(let text): .note(text)
            case .progress(let value): .progress(value)
            case .more(let place): .more(place)
            case .end(let error): .end(error)
            }
    }

    package static func end(_ error: NodeError?) -> ReplyLine {
        .end(exit: error?.exitStatus.rawValue ?? 0, code: error?.code.rawValue ?? "done", message: error?.message ?? "")
    }

    package var isEnd: Bool { if case .end = self { true } else { false } }

    /// Nil for a line that only another version knows.
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
        } else if let place = value["cursor"]?.text {
            self = .more(place)
        } else if let end = value["end"], let exit = end["exit"]?.integer, let status = Int32(exactly: exit) {
            self = .end(exit: status, code: end["code"]?.text ?? "", message: end["message"]?.text ?? "")
        } else {
            return nil
        }
    }

    /// With the newline.
    package var encoded: [UInt8] {
        switch self {
        case .data(let json): Array("{\"data\":".utf8) + json + Array("}\n".utf8)
        case .note(let text): line("note", .string(text))
        case .progress(let value): line("progress", value)
        case .more(let place): line("cursor", .string(place))
        case .end(let exit, let code, let message):
            line("end", ["exit": .int(Int64(exit)), "code": .string(code), "message": .string(message)])
        }
    }

    private func line(_ key: String, _ value: JSONValue) -> [UInt8] { JSONValue.object([key: value]).encoded + [0x0A] }
}
