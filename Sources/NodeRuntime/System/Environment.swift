import Glibc

/// The environment variables that the node looks at. A value, so that tests need no `setenv`.
package struct Environment: Sendable {
    package var values: [String: String]

    package init(_ values: [String: String]) {
        self.values = values
    }

    /// What this process was started with; only the named variables are taken.
    package static func ofProcess() -> Environment {
        var values: [String: String] = [:]
        for name in ["KACHAT_HOME", "KACHAT_ACCOUNT", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "HOME", "NO_COLOR"] {
            if let value = getenv(name), value.pointee != 0 { values[name] = String(cString: value) }
        }
        return Environment(values)
    }

    package subscript(name name: String) -> String? { values[name] }
}
