/// A command of a driven node failed.
package struct DriverError: Error, CustomStringConvertible {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}
