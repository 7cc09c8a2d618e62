/// The answer of `/healthz`.
package struct Health: Model {
    package enum State: String, Word {
        case ok
    }

    package var status = State.ok

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) { field("status", &status) }
}

/// An error, as `application/problem+json` (RFC 9457).
package struct ProblemDocument: Model {
    package static let modelName = "Problem"
    package var type = "about:blank"
    package var status = 0
    /// A stable word for programs.
    package var code = ""
    package var title = ""
    package var detail = ""
    /// The wrong parameter, and its allowed values.
    package var parameter: String?
    package var allowed: String?
    /// Notes before the error, such as refused lines.
    package var notes: [String] = []
    /// Partial results, such as an import's counts.
    package var result: [String: Scalar]?
    /// The place from which a feed restarts.
    package var token: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("type", &type)
        field("status", &status)
        field("code", &code)
        field("title", &title)
        field("detail", &detail)
        field.optional("parameter", &parameter)
        field.optional("allowed", &allowed)
        field.list("notes", &notes)
        field.optional("result", &result)
        field.optional("token", &token)
    }
}

/// The last line of an answer that failed after its first line.
package struct FailedLine: Model {
    package var error = ProblemDocument()

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) { field("error", &error) }
}

/// A setting and its allowed values.
package struct Setting: Model {
    package var key = ""
    package var value = Scalar.blank
    /// True if the file sets it.
    package var isSet = false
    /// The source of the value: `file`, `environment` or `default`.
    package var source = ""
    /// The environment variable that overrides the file.
    package var variable = ""
    package var standard = Scalar.blank
    package var allowed = ""
    package var help = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("key", &key)
        field("value", &value)
        field("isSet", &isSet)
        field("source", &source)
        field("variable", &variable)
        field("default", &standard)
        field("allowed", &allowed)
        field("help", &help)
    }
}
