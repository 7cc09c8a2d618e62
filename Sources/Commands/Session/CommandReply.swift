package import JSONLines
package import Node
import NodeModel

/// A command's reply: data for standard output, notes for standard error, progress, and one item that ends it.
package struct CommandReply: Sendable {
    package enum Item: Sendable {
        case data(Datum)
        /// Such as `line 7: is no JSON object`.
        case note(String)
        /// Such as `{"lines":1024}`: an import's lines up to here are durable.
        case progress(JSONValue)
        /// The last item; nil for success.
        case end(NodeError?)
    }

    /// One JSON value, encoded.
    package struct Datum: Sendable {
        package let json: [UInt8]
        /// The place from which a list or a feed continues after it.
        let place: String?
        /// The kind of a change or a notice.
        let kind: String?
    }

    /// Items not taken yet.
    package private(set) var items: [Item] = []
    /// The command's end; nil while it works.
    package private(set) var ending: Ending?
    package var isEnded: Bool { ending != nil }

    package init() {}

    package struct Ending: Sendable {
        /// Nil for success.
        package let error: NodeError?
    }

    package mutating func data(_ value: JSONValue) {
        let place = value["cursor"] ?? value["token"]
        items.append(.data(Datum(json: value.encoded, place: place?.text, kind: value["kind"]?.text)))
    }

    mutating func data(_ model: some Model) {
        items.append(.data(Datum(json: model.encoded, place: model.nextPlace, kind: model.eventName)))
    }
    package mutating func note(_ text: String) { items.append(.note(text)) }
    package mutating func progress(_ value: JSONValue) { items.append(.progress(value)) }

    package mutating func end(_ error: NodeError? = nil) {
        guard !isEnded else { return }
        ending = Ending(error: error)
        items.append(.end(error))
    }

    /// Takes all waiting items.
    package mutating func take() -> [Item] {
        defer { items = [] }
        return items
    }
}
