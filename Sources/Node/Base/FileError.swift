import Glibc

/// A system call that failed: its name, the number it left in `errno`, and what it was about.
struct FileError: Error, CustomStringConvertible {
    let call: String
    let number: Int32
    let subject: String

    /// Reads `errno`, so it is made right after the call.
    static func last(_ call: String, _ subject: String) -> FileError {
        FileError(call: call, number: errno, subject: subject)
    }

    /// There was no room: it can be tried again when there is.
    var isOutOfRoom: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

    /// The system's own words for the number, such as "Permission denied".
    var reason: String {
        if number == EBADF { return "it is closed" }
        // glibc gives constant texts for the numbers it knows, so threads do not get into each other's way.
        return strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }

    var description: String { "\(call) \(subject): \(reason)" }
}
