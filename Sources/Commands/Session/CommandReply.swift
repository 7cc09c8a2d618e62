package import JSONLines
package import Node
import NodeModel

/// What a command says: data for standard output, notes for standard error, how far it is, and one word that ends it.
package struct CommandReply: Sendable {
    package enum Item: Sendable {
        case data(Datum)
        /// Such as `line 7: is no JSON object`.
        case note(String)
        /// Such as `{"lines":1024}`: an import's lines up to here are durable.
        case progress(JSONValue)
        /// The last one; nil where all is done.
        case end(NodeError?)
    }

    /// One JSON value, encoded.
    package struct Datum: Sendable {
        package let json: [UInt8]
        /// From where a list or a feed goes on behind it.
        let place: String?
        /// What kind of change or notice it is.
        let kind: String?
    }

    /// What waits to be given out.
    package private(set) var items: [Item] = []
    /// How the command ended; nil while it has not.
    package private(set) var ending: Ending?
    package var isEnded: Bool { ending != nil }

    package init() {}

    package struct Ending: Sendable {
        /// Nil where all is done.
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

    /// Takes out what waits.
    package mutating func take() -> [Item] {
        defer { items = [] }
        return items
    }
}
