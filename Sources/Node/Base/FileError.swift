import Glibc

/// A failed system call: its name, its `errno`, and what it operated on.
package struct FileError: Error, CustomStringConvertible {
    package let call: String
    package let number: Int32
    package let subject: String

    package init(call: String, number: Int32, subject: String) {
        self.call = call
        self.number = number
        self.subject = subject
    }

    /// Reads `errno`, so create it right after the call.
    package static func last(_ call: String, _ subject: String) -> FileError {
        FileError(call: call, number: errno, subject: subject)
    }

    /// There was no room: the call can be repeated when there is.
    package var isOutOfRoom: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

    /// The system's description of the error, such as "Permission denied".
    package var reason: String {
        if number == EBADF { return "it is closed" }
        // glibc returns constant texts for known numbers, so this is thread-safe.
        return strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }

    package var description: String { "\(call) \(subject): \(reason)" }
}
