package import JSONLines
package import Node
import NodeModel

/// A model's name and schema.
package struct DescribedModel: Sendable {
    package let name: String
    let schema: @Sendable (inout Schemas) -> JSONValue

    static func of<Value: Model>(_ type: Value.Type) -> DescribedModel {
        DescribedModel(name: type.modelName) { schemas in type.schema(&schemas) }
    }
}

/// An endpoint's answer: its form, its model, and its words for people.
package struct Answer: Sendable {
    package enum Form: Sendable {
        case object
        case list(Paging)
        /// One JSON object a line, as they come.
        case lines
        /// Server-sent events of the change feed.
        case events
        /// Prometheus' text format.
        case metrics
    }

    /// How a list continues on another page.
    package enum Paging: Sendable {
        /// `cursor`: how many rows the pages had so far. Any list can be paged so.
        case counted
        /// `cursor`: the last row's own, which holds whatever comes and goes before it.
        case keyed
        /// `next`: the token of the last change, or the given one.
        case feed
    }

    package typealias Shows = @Sendable (JSONValue, Output) -> Void

    package let form: Form
    /// The model of the object, or of each item.
    package let model: DescribedModel
    /// Nil to show JSON, or a table.
    package let shows: Shows?
    /// The rows of a list, for people.
    private(set) package var table: ListTable?
    /// The words only confirm success, so `--quiet` drops them.
    package let saysItIsDone: Bool

    private init<Value: Model>(_ form: Form, _ type: Value.Type, shows: Shows?, saysItIsDone: Bool = false) {
        self.form = form
        model = .of(type)
        self.shows = shows
        self.saysItIsDone = saysItIsDone
    }

    private static func reading<Value: Model>(_ shows: @escaping @Sendable (Value, Output) -> Void) -> Shows {
        { json, output in
            guard let value = try? Value(json: json) else { return output.bufferedLine(json.encoded) }
            shows(value, output)
        }
    }

    /// One object; people get a sentence that confirms success.
    static func done<Value: Model>(_ type: Value.Type, says: @escaping @Sendable (Value) -> String) -> Answer {
        Answer(.object, type, shows: reading { value, output in output.line(says(value)) }, saysItIsDone: true)
    }

    static func object<Value: Model>(_ type: Value.Type, shows: (@Sendable (Value, Output) -> Void)? = nil) -> Answer {
        Answer(.object, type, shows: shows.map { reading($0) })
    }

    /// A list; people get a table.
    static func list<Value: Model>(
        of type: Value.Type, by paging: Paging = .counted, as columns: ListColumns<Value>? = nil
    ) -> Answer {
        var answer = Answer(.list(paging), type, shows: nil)
        answer.table = columns.map(ListTable.init)
        return answer
    }

    /// A list; people get a sentence for each item that confirms success.
    static func done<Value: Model>(listOf type: Value.Type, says: @escaping @Sendable (Value) -> String) -> Answer {
        Answer(.list(.counted), type, shows: reading { value, output in output.line(says(value)) }, saysItIsDone: true)
    }

    static func lines<Value: Model>(of type: Value.Type, shows: (@Sendable (Value, Output) -> Void)? = nil) -> Answer {
        Answer(.lines, type, shows: shows.map { reading($0) })
    }

    static func events<Value: Model>(of type: Value.Type) -> Answer { Answer(.events, type, shows: nil) }
    static func metrics<Value: Model>(from type: Value.Type) -> Answer { Answer(.metrics, type, shows: nil) }
}

extension Answer {
    /// An OpenAPI document. Its form is not ours, and a reader need not find it on the web.
    static var document: Answer {
        Answer(
            .object, DescribedModel(name: "OpenAPI") { _ in ["type": "object", "additionalProperties": true] })
    }

    private init(_ form: Form, _ model: DescribedModel) {
        self.form = form
        self.model = model
        shows = nil
        saysItIsDone = false
    }
}
