/// The program's version.
package enum Version {
    package static let current = "0.3.0"

    /// The version of the program that reads homes of this earlier version.
    package static func ofHome(_ version: UInt64) -> String { "0.\(version).0" }
}
