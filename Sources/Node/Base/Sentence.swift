package import NodeModel

/// The text of an error in parts, since readers differ: a user at a terminal knows a command's options and can run
/// others; an app knows the fields of its request.
///
/// ```swift
/// NodeError(.notFound, "there is no member `\(name)`\(advice: "; see `kachat-node group members`")")
/// NodeError(.usage, "\(parameter: "--to") is a day before \(parameter: "--from")")
/// ```
package struct Sentence: Hashable, Sendable, ExpressibleByStringInterpolation {
    package enum Part: Hashable, Sendable {
        case text(String)
        /// A command's parameter, by its name on the command line.
        case parameter(String)
        /// A field of the input, such as of a line of an import.
        case field(String)
        /// A command's parameter that is at fault and that the sentence does not name; never shown.
        case blame(String)
        /// Shown only to users who can run commands; the sentence is complete without it.
        case advice(String)
    }

    package private(set) var parts: [Part]

    package init(_ text: String) { parts = [.text(text)] }
    package init(stringLiteral text: String) { self.init(text) }
    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.text(literal)) }
        }

        package mutating func appendInterpolation<Value>(_ value: Value) { parts.append(.text("\(value)")) }

        package mutating func appendInterpolation(parameter name: String) { parts.append(.parameter(name)) }
        package mutating func appendInterpolation(blaming name: String) { parts.append(.blame(name)) }
        package mutating func appendInterpolation(advice: String) { parts.append(.advice(advice)) }
        package mutating func appendInterpolation(sentence: Sentence) { parts += sentence.parts }

        @available(*, unavailable, message: "say sentence: or its parameters are lost")
        package mutating func appendInterpolation(_ sentence: Sentence) {}
    }

    /// For a terminal: with option names and advice.
    package var words: String {
        parts.reduce(into: "") { words, part in
            switch part {
            case .text(let text), .parameter(let text), .advice(let text): words += text
            case .field(let name): words += "`\(name)`"
            case .blame: break
            }
        }
    }

    /// For an app.
    ///
    /// - Parameter names: maps a parameter to its name in requests; nil if it has none.
    package func words(naming names: (String) -> String?) -> String {
        parts.reduce(into: "") { words, part in
            switch part {
            case .text(let text): words += text
            case .parameter(let name): words += names(name).map { "`\($0)`" } ?? name
            case .field(let name): words += "`\(name)`"
            case .advice, .blame: break
            }
        }
    }

    /// Without advice: the remedy stands beside it.
    package var fact: String { words { _ in nil } }

    /// The first parameter or field that the sentence names or blames, as requests call it.
    package func blamed(naming names: (String) -> String?) -> String? {
        for part in parts {
            switch part {
            case .parameter(let name): return names(name)
            case .field(let name): return name
            // The same thing has several names: the request has one of them.
            case .blame(let name): if let name = names(name) { return name }
            case .text, .advice: continue
            }
        }
        return nil
    }

    package init(_ error: FieldError) {
        parts = [.field(error.field), .text(" " + (error.reason ?? ""))]
        if error.reason == nil { parts = [.text("lacks "), .field(error.field)] }
        if error.field.isEmpty { parts = [.text(error.description)] }
    }

    /// The same sentence, which blames a parameter unless it names one.
    package func blaming(_ name: String) -> Sentence {
        guard blamed(naming: { $0 }) == nil else { return self }
        var copy = self
        copy.parts.append(.blame(name))
        return copy
    }

    /// The same sentence with each text changed.
    package func map(_ change: (String) -> String) -> Sentence {
        var copy = self
        copy.parts = parts.map { part in
            switch part {
            case .text(let text): .text(change(text))
            case .parameter, .field, .blame: part
            case .advice(let text): .advice(change(text))
            }
        }
        return copy
    }
}
