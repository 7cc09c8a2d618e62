package import JSONLines
package import Node
import NodeModel

/// A command's reply: data for standard output, notes for standard error, progress, and one item that ends it.
package struct CommandReply: Sendable {
    package enum Item: Sendable {
        case data(Datum)
        /// Such as `line 7: is not a JSON object`.
        case note(String)
        /// Such as `{"lines":1024}`: an import's lines up to here are durable.
        case progress(JSONValue)
        /// There is more than this page: from where the next one continues.
        case more(String)
        /// The last item; nil for success.
        case end(NodeError?)
    }

    /// One JSON value, encoded.
    package struct Datum: Sendable {
        package let json: [UInt8]
        /// The place from which a feed continues after it.
        let place: String?
        /// The kind of a change or a notice.
        let kind: String?
    }

    /// Items not taken yet.
    package private(set) var items: [Item] = []
    package private(set) var isEnded = false
    /// The part of a list that is asked for; nil for all of it.
    private let page: Page?
    /// From where the list continues behind that part; nil if it ends there.
    private var next: String?

    package init(_ page: Page? = nil) { self.page = page }

    /// A part of a list: so many rows, after those that pages before it had.
    package struct Page: Equatable, Sendable {
        let skips: Int
        let limit: Int
    }

    package mutating func data(_ value: JSONValue) {
        items.append(.data(Datum(json: value.encoded, place: value["token"]?.text, kind: value["kind"]?.text)))
    }

    mutating func data(_ model: some Model) {
        items.append(.data(Datum(json: model.encoded, place: model.nextPlace, kind: model.eventName)))
    }

    /// The rows of a list that are asked for, by their places; only these may be given.
    ///
    /// - Parameter count: of all its rows.
    mutating func rows(of count: Int) -> Range<Int> {
        guard let page else { return 0..<count }
        let start = min(page.skips, count)
        let end = start + min(page.limit, count - start)
        next = end < count ? String(end) : nil
        return start..<end
    }

    /// There is more than the command gave: a list continues there.
    mutating func more(from place: String) { items.append(.more(place)) }

    package mutating func note(_ text: String) { items.append(.note(text)) }
    package mutating func progress(_ value: JSONValue) { items.append(.progress(value)) }

    package mutating func end(_ error: NodeError? = nil) {
        guard !isEnded else { return }
        if error == nil, let next { more(from: next) }
        isEnded = true
        items.append(.end(error))
    }

    /// Takes all waiting items.
    package mutating func take() -> [Item] {
        defer { items = [] }
        return items
    }
}
