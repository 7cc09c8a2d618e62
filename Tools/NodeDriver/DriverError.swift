/// A command of a driven node that did not do what was asked.
package struct DriverError: Error, CustomStringConvertible {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}
