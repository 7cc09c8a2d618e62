import Commands
import KaChatClient
import Node

/// Encodes a command's HTTP request and parses the answer as it arrives. Pure: bytes in, lines out.
struct HTTPReply {
    private var reader = HTTPReader()
    private var status: Int?
    private var lines = LineBuffer(limit: 16 * Commands.Limits.inputLineBytes)
    /// The body of an error response.
    private var problem: [UInt8] = []

    static func request(_ request: CommandRequest, target: String? = nil, body: [UInt8]?) -> [UInt8] {
        var head = "\(request.method) \(target ?? request.target) HTTP/1.1\r\nHost: localhost\r\n"
        head += "Accept: \(Endpoint.replyType)\r\nConnection: close\r\n"
        if let body {
            head += "Content-Type: \(request.bodyType ?? Endpoint.jsonType)\r\nContent-Length: \(body.count)\r\n"
        }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }

    /// The complete reply lines received so far.
    mutating func append(_ bytes: [UInt8]) throws(NodeError) -> [ReplyLine] {
        guard !bytes.isEmpty else { return [] }
        reader.append(bytes)
        do throws(ClientError) {
            return try read()
        } catch {
            throw NodeError(.protocolError, "the node's answer cannot be read: \(error.message)")
        }
    }

    private mutating func read() throws(ClientError) -> [ReplyLine] {
        if status == nil { status = try reader.head()?.status }
        guard let status else { return [] }
        while let bytes = try reader.body() {
            if status == 200 { lines.append(bytes) } else { problem += bytes }
        }
        guard status == 200 else { return reader.isOver ? [refusal(status)] : [] }
        var said: [ReplyLine] = []
        while let line = lines.next() {
            if case .line(let bytes) = line, let line = ReplyLine(bytes) { said.append(line) }
        }
        return said
    }

    /// The error for a request that started no command.
    private func refusal(_ status: Int) -> ReplyLine {
        let value = JSONValue(json: problem)
        let detail = value?["detail"]?.text ?? "the node answered with status \(status)"
        // The node is busy.
        let code = [429, 503].contains(status) ? NodeError.Code.notReachable : nil
        return .end(NodeError(code ?? NodeError.Code(rawValue: value?["code"]?.text ?? "failed"), detail))
    }
}

/// Combines the replies to an input's batches into one: it adds up counts and reports refused lines once.
struct BatchSum {
    /// Lines in earlier batches.
    var lines = 0
    private(set) var hasFailed = false
    private var counts: [String: JSONValue] = [:]
    private var data: [[UInt8]] = []
    private var refused: NodeError?
    private var notes = 0

    /// The line to show at once, if any.
    mutating func take(_ line: ReplyLine) -> ReplyLine? {
        switch line {
        case .data(let bytes):
            if let part = JSONValue(json: bytes), case .object = part {
                counts.addCounts(part)
            } else {
                data.append(bytes)
            }
            return nil
        case .note(let text):
            notes += 1
            if notes > Commands.Limits.importComplaints + 1 { return nil }
            return .note(notes > Commands.Limits.importComplaints ? LineRefusals.further : text)
        case .progress(let value): return .progress(later(value))
        case .more: return line
        case .end(let exit, let code, let message):
            guard exit != 0 else { return nil }
            let error = NodeError(NodeError.Code(rawValue: code), message)
            refused = error
            // Invalid lines do not stop the others.
            hasFailed = error.code != .badInput
            return nil
        }
    }

    /// Adds the lines of earlier batches.
    private func later(_ value: JSONValue) -> JSONValue {
        guard case .object(var fields) = value, let count = fields["lines"]?.integer else { return value }
        fields["lines"] = .int(Int64(lines) + count)
        return .object(fields)
    }

    func end() -> [ReplyLine] {
        var error = refused
        if let count = counts["refused"]?.integer, count > 0, !hasFailed {
            error = LineRefusals.error(Int(count), of: Int(counts["lines"]?.integer ?? 0))
        }
        let sum = counts.isEmpty ? [] : [ReplyLine.data(JSONValue.object(counts).encoded)]
        return data.map { .data($0) } + sum + [.end(error)]
    }
}
