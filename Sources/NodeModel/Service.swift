/// That the node serves.
package struct Health: Model {
    package enum State: String, Word {
        case ok
    }

    package var status = State.ok

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) { field("status", &status) }
}

/// What went wrong, as `application/problem+json` (RFC 9457).
package struct ProblemDocument: Model {
    package static let modelName = "Problem"
    package var type = "about:blank"
    package var status = 0
    /// A stable word.
    package var code = ""
    package var title = ""
    package var detail = ""
    /// The parameter that is to blame, and what is allowed there.
    package var parameter: String?
    package var allowed: String?
    /// What was said before: of which lines were refused.
    package var notes: [String] = []
    /// What was done all the same, such as an import's counts.
    package var result: [String: Scalar]?
    /// Of a feed that begins anew: from where.
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

/// A setting, and what it may be.
package struct Setting: Model {
    package var key = ""
    package var value = Scalar.blank
    /// In the file.
    package var isSet = false
    /// Where the value comes from: `file`, `environment` or `default`.
    package var source = ""
    /// Of the environment; it counts before the file.
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
