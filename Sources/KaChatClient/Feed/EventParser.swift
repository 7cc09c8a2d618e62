import JSONLines

/// Splits a stream of server-sent events (WHATWG HTML §9.2) into events. Pure: bytes in, events out.
struct EventParser {
    struct Event: Equatable {
        var name = ""
        var id: String?
        var data: [UInt8] = []
    }

    private var lines = LineBuffer(limit: Limits.lineBytes)
    private var event = Event()

    mutating func append(_ bytes: [UInt8]) { lines.append(bytes) }

    /// The next complete event; nil until there is one.
    mutating func next() throws(ClientError) -> Event? {
        while let line = lines.next() {
            guard case .line(var bytes) = line else { throw .badAnswer("a line of the events is too long") }
            if bytes.last == 0x0D { bytes.removeLast() }
            if bytes.isEmpty {
                defer { event = Event() }
                // An event without data is ignored.
                if !event.data.isEmpty { return event }
                continue
            }
            take(bytes)
            guard event.data.count <= Limits.lineBytes else { throw .badAnswer("an event is too long") }
        }
        return nil
    }

    private mutating func take(_ line: [UInt8]) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": event.name = String(decoding: value, as: UTF8.self)
        case "id": event.id = String(decoding: value, as: UTF8.self)
        case "data": event.data += (event.data.isEmpty ? [] : [0x0A]) + value
        // Comments are signs of life; `retry` is for clients without a pause of their own.
        default: break
        }
    }
}
