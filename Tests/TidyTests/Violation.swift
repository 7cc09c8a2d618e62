/// A place that breaks a rule, printed as compilers do, so that an editor can jump there.
struct Violation: Equatable, CustomStringConvertible {
    /// Relative to the package's root.
    var path: String
    /// The line number, counted from 1.
    var line: Int
    var reason: String

    var description: String { "\(path):\(line): \(reason)" }
}
