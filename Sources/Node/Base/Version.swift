/// The program's version.
package enum Version {
    package static let current = "0.2.0"
    /// The last version that reads homes of version 1.
    package static let before = "0.1.0"
}
