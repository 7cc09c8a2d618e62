package import ProcessHarness

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A `kachat-node` program to drive.
package struct NodeBinary: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The program built together with the calling one, in the same folder.
    package static func besideThisProgram() -> NodeBinary? {
        #if os(Linux)
            var buffer = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/self/exe", &buffer, buffer.count)
            guard count > 0 else { return nil }
            let program = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
            let program = CommandLine.arguments[0]
        #endif
        let folder = program.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let path = folder + "/kachat-node"
        return access(path, X_OK) == 0 ? NodeBinary(path: path) : nil
    }

    /// A command on the home, not yet started. It ignores settings of the caller's own node.
    package func command(home: String, _ arguments: [String]) -> Command {
        var command = Command(path, ["--home", home] + arguments)
        command.environment = ["KACHAT_HOME": nil]
        return command
    }
}
