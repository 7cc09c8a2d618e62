import Node
import NodeModel

/// Collects the reply into one document: an object, a list, or text.
struct DocumentWriter: AnswerWriter {
    private let endpoint: Endpoint
    /// The `next` of an empty list of changes.
    private let since: String?
    private let ifNoneMatch: String?
    private var items: [UInt8] = []
    private var count = 0
    /// The start of the last item, and the place from which a feed continues after it.
    private var last = 0
    private var place: String?
    /// From where the next page continues; nil on the last one.
    private var cursor: String?
    private var notes: [String] = []
    package private(set) var answer: HTTPAnswer?
    var waitingBytes: Int { 0 }

    init(_ endpoint: Endpoint, since: String?, ifNoneMatch: String?) {
        self.endpoint = endpoint
        self.since = since
        self.ifNoneMatch = ifNoneMatch
    }

    package mutating func take(_ item: CommandReply.Item) {
        switch item {
        case .data(let datum):
            if count > 0 { items.append(UInt8(ascii: ",")) }
            last = items.count
            items.append(contentsOf: datum.json)
            place = datum.place
            count += 1
        case .note(let text): notes.append(text)
        case .progress: break
        case .more(let place): cursor = place
        case .end(let error): end(error.map(endpoint.problem))
        }
    }

    private mutating func end(_ problem: Problem?) {
        // A timeout with a result is a success: the result shows the state.
        if let problem, problem.code != NodeError.Code.timedOut.rawValue || count != 1 {
            answer = failure(problem)
        } else {
            answer = success()
        }
    }

    package mutating func flush() {}
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? { nil }

    private func success() -> HTTPAnswer {
        switch endpoint.answer.form {
        case .object, .lines, .events: document(object())
        case .list(let paging): document(list(paging))
        case .metrics: HTTPAnswer(type: Endpoint.metricsType, bytes: metrics)
        }
    }

    private var metrics: [UInt8] { (try? NodeStatus(json: items)).map(Metrics.text) ?? [] }

    private func document(_ bytes: [UInt8]) -> HTTPAnswer {
        guard endpoint.method == .get else { return HTTPAnswer(type: Endpoint.jsonType, bytes: bytes) }
        let tag = EntityTag(of: bytes)
        guard !tag.matches(ifNoneMatch) else {
            return HTTPAnswer(status: 304, headers: [("ETag", tag.text)], body: .bytes([]))
        }
        return HTTPAnswer(
            status: 200, headers: [("Content-Type", Endpoint.jsonType), ("ETag", tag.text)], body: .bytes(bytes))
    }

    private func object() -> [UInt8] {
        let bytes = count == 0 ? Array("{}".utf8) : Array(items[last...])
        guard !notes.isEmpty, bytes.last == UInt8(ascii: "}") else { return bytes }
        return bytes.dropLast() + Array((bytes.count > 2 ? "," : "").utf8) + field("notes", noteList) + Array("}".utf8)
    }

    private func list(_ paging: Answer.Paging) -> [UInt8] {
        var bytes = Array("{\"items\":[".utf8) + items + Array("]".utf8)
        switch paging {
        case .feed: bytes += Array(",".utf8) + field("next", .optional(place ?? since))
        case .counted, .keyed:
            if let cursor { bytes += Array(",".utf8) + field("cursor", .string(cursor)) }
        }
        if !notes.isEmpty { bytes += Array(",".utf8) + field("notes", noteList) }
        return bytes + Array("}".utf8)
    }

    /// Adds notes and partial results to the problem, such as the counts of an import with refused lines.
    private func failure(_ problem: Problem) -> HTTPAnswer {
        var problem = problem
        if !notes.isEmpty { problem.fields["notes"] = noteList }
        if count == 1 { problem.fields["result"] = JSONValue(json: items) }
        return problem.answer
    }

    private var noteList: JSONValue { .array(notes.map { .string($0) }) }

    private func field(_ name: String, _ value: JSONValue) -> [UInt8] {
        JSONValue.string(name).encoded + Array(":".utf8) + value.encoded
    }
}
