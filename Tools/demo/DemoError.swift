/// Why the demo ends early, told as it is.
struct DemoError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
