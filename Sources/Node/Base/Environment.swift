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
        "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "HOME", "PATH", "NO_COLOR", "JOURNAL_STREAM", "CREDENTIALS_DIRECTORY",
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "DISPLAY", "WAYLAND_DISPLAY",
    ]

    package subscript(name name: String) -> String? { values[name] }
}
