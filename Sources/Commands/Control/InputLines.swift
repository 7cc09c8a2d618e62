import JSONLines

/// Makes the lines of a file or a body fit for the control protocol: one that is too long goes on as one that is
/// refused, without its length, and a lone dot, which would end the input, gets a blank.
package struct InputLines {
    private var lines = LineBuffer(limit: Limits.controlLineBytes)

    package init() {
    }

    /// The lines that are whole by now.
    package mutating func take(_ bytes: some Collection<UInt8>) -> [UInt8] {
        lines.append(bytes)
        var result: [UInt8] = []
        while let line = lines.next() { append(line, to: &result) }
        return result
    }

    /// The rest, and the mark of the end.
    package mutating func end() -> [UInt8] {
        var result: [UInt8] = []
        if let rest = lines.rest() { append(rest, to: &result) }
        result.append(contentsOf: "\(ControlInput.endMark)\n".utf8)
        return result
    }

    private func append(_ line: LineBuffer.Line, to result: inout [UInt8]) {
        switch line {
        case .tooLong: result.append(contentsOf: InputLines.tooLong)
        case .line(let bytes):
            result.append(contentsOf: bytes)
            if bytes == Array(ControlInput.endMark.utf8) { result.append(UInt8(ascii: " ")) }
        }
        result.append(UInt8(ascii: "\n"))
    }

    /// Stands for a line of more than 1 MiB, which is not worth sending.
    static let tooLong = Array("#too-long".utf8)
}
