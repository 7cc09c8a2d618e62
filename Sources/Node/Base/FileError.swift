import Glibc

/// A system call that failed: its name, the number it left in `errno`, and what it was about.
package struct FileError: Error, CustomStringConvertible {
    package let call: String
    package let number: Int32
    package let subject: String

    package init(call: String, number: Int32, subject: String) {
        self.call = call
        self.number = number
        self.subject = subject
    }

    /// Reads `errno`, so it is made right after the call.
    package static func last(_ call: String, _ subject: String) -> FileError {
        FileError(call: call, number: errno, subject: subject)
    }

    /// There was no room: it can be tried again when there is.
    package var isOutOfRoom: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

    /// The system's own words for the number, such as "Permission denied".
    package var reason: String {
        if number == EBADF { return "it is closed" }
        // glibc gives constant texts for the numbers it knows, so threads do not get into each other's way.
        return strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }

    package var description: String { "\(call) \(subject): \(reason)" }
}
