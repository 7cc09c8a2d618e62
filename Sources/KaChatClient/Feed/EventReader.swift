import JSONLines
import NodeModel

/// Reads a stream of server-sent events without end: it reconnects by itself, and continues behind the last event that
/// was taken.
struct EventReader {
    private let open: @Sendable (ChangePlace) async throws(ClientError) -> any NodeBody
    /// The place after the last event that the loop has finished with.
    private(set) var place: ChangePlace
    private var body: (any NodeBody)?
    private var parser = EventParser()
    private var pause = Pause()

    /// - Parameter open: asks for the events after a place.
    init(since place: ChangePlace, open: @escaping @Sendable (ChangePlace) async throws(ClientError) -> any NodeBody) {
        self.place = place
        self.open = open
    }

    /// The next event with an id, and its content.
    mutating func next() async throws(ClientError) -> (name: String, value: JSONValue) {
        while true {
            do throws(ClientError) {
                if body != nil, let event = try parser.next() {
                    guard let told = try read(event) else { continue }
                    pause.reset()
                    return told
                }
                if let body {
                    guard let bytes = try await body.next() else { throw StreamEnd.error }
                    parser.append(bytes)
                } else {
                    body = try await open(place)
                    parser = EventParser()
                }
            } catch {
                body = nil
                guard error.isPassing else { throw error }
                try await pause.wait(after: error)
            }
        }
    }

    private mutating func read(_ event: EventParser.Event) throws(ClientError) -> (name: String, value: JSONValue)? {
        guard let value = JSONValue(json: event.data) else { throw .badAnswer("an event is not JSON") }
        // The problem gives the reason: `not-reachable` if the node stops, `not-found` if the account was removed.
        if event.name == "end" { throw Self.problem(value) }
        guard let id = event.id, !id.isEmpty else { return nil }
        place = ChangePlace(token: id)
        return (event.name, value)
    }

    static func problem(_ value: JSONValue) -> ClientError {
        NodeClient.refusal(value, status: value["status"].flatMap { try? Int(json: $0) } ?? 0)
    }
}

private enum StreamEnd {
    static let error = ClientError(.notReachable, "the node ended the stream")
}
