import CLinuxShim
import Glibc

/// The environment variables that the node uses. A value, so that tests need no `setenv`.
package struct Environment: Sendable {
    package var values: [String: String]

    package init(_ values: [String: String]) {
        self.values = values
    }

    /// The environment of this process, reduced to these variables and those that begin with `KACHAT_`.
    package static func ofProcess() -> Environment {
        var values: [String: String] = [:]
        for name in others {
            if let value = getenv(name), value.pointee != 0 { values[name] = String(cString: value) }
        }
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, pair[0].hasPrefix(prefix), !pair[1].isEmpty {
                values[String(pair[0])] = String(pair[1])
            }
            entry += 1
        }
        return Environment(values)
    }

    package static let prefix = "KACHAT_"
    private static let others = [
        "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "HOME", "PATH", "TERM", "NO_COLOR", "JOURNAL_STREAM",
        "CREDENTIALS_DIRECTORY", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "DISPLAY", "WAYLAND_DISPLAY",
    ]

    package subscript(name name: String) -> String? { values[name] }
}

/// The machine's name, as the initial name of the device.
package enum HostName {
    /// The host's name up to its first dot; `device` if there is none.
    package static var current: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let short = name.prefix { $0 != "." }.prefix(40)
        return short.isEmpty ? "device" : String(short)
    }
}

/// Descriptors 0, 1 and 2 of a program that was started with some of them closed (`kachat-node init >&-`).
package enum StandardDescriptors {
    /// Opens /dev/null for closed descriptors. Otherwise the first opened file would get such a number, and output
    /// would be written into an identity, a backup or a lock. Call it before opening anything.
    ///
    /// Each is deliberately opened in the wrong direction: reading from a closed input or writing to a closed output
    /// stays an error (EBADF), so that lost output is not mistaken for delivered.
    package static func holdClosed() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 && errno == EBADF {
            // open(2) returns the lowest free number, which is this one. Without O_CLOEXEC: programs started from here
            // need it, too.
            guard open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) == number else { exit(1) }
        }
    }
}

/// This process's memory, which contains keys.
package enum ProcessMemory {
    /// Lets nobody write it into a file: neither the system when the program crashes, nor another program of this user.
    /// Programs started from here may write core files again. Best effort: what the system refuses stays as it was.
    package static func keepToItself() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        limit.rlim_cur = 0
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        kachat_forbid_dumps()
    }
}
