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
