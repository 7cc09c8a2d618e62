/// What comes and goes, by media type.
extension Endpoint {
    package static let jsonType = "application/json"
    /// One JSON value a line.
    package static let linesType = "application/x-ndjson"
    package static let textType = "text/plain"
    /// All that a command says, as it comes, one JSON object a line; a request that accepts it gives its parameters as
    /// the command line does.
    package static let replyType = "application/vnd.kachat.reply"
    static let eventsType = "text/event-stream"
    /// Prometheus' text format.
    static let metricsType = "text/plain; version=0.0.4"

    /// That of the request's body; nil where there is none.
    var bodyType: String? {
        switch body {
        case .none: nil
        case .fields, .someFields, .message, .array: Endpoint.jsonType
        case .lines: Endpoint.linesType
        case .text: Endpoint.textType
        }
    }

    /// Whether a request that comes again under the same key gets the first answer: where a second one could do more.
    var takesIdempotencyKey: Bool {
        guard method == .post else { return false }
        if body.isStreamed { return false }
        if case .lines = answer.form { return false }
        return true
    }

    /// Why the head's body is not taken; nil where it is.
    func complaint(_ request: HTTPRequest) -> Problem? {
        if let bodyType {
            // A form of another site has a type that needs no preflight; it is refused also where it is empty.
            let given = request.header("content-type")?.prefix { $0 != ";" }.lowercased()
            guard given.map({ $0.filter { $0 != " " } == bodyType }) ?? !request.hasBody else {
                return .mediaType(bodyType)
            }
        }
        if body.isStreamed { return nil }
        if request.has("transfer-encoding") { return .lengthRequired }
        if let length = request.contentLength, length > Limits.httpBodyBytes { return .bodyTooLarge }
        return nil
    }
}
