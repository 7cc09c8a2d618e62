/// A command of a driven node failed.
package struct DriverError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
