import Glibc
import NodeCore

/// The path of a home's unix socket: `node.sock` inside it, or, if that is too long for a socket address, in a private
/// folder with a short path that is recorded in the home's file `socket`.
package enum HomeSocketPath {
    /// For a node about to listen: creates the folder and the record if needed.
    package static func prepare(_ home: HomeFolder, environment: Environment) throws(NodeError) -> String {
        let note = notePath(home)
        let inside = home.path + "/node.sock"
        if inside.utf8.count <= Limits.socketPathBytes {
            guard access(home.path, W_OK | X_OK) == 0 else { throw home.notWritable(.last("access", home.path)) }
            unlink(note)
            return inside
        }
        let path = try shortFolder(home, environment) + "/node.sock"
        do {
            try Files.replace(note, with: Array(path.utf8))
        } catch {
            throw home.notWritable(error)
        }
        return path
    }

    /// For a command that looks for the node.
    package static func find(_ home: HomeFolder) -> String {
        let noted = try? Files.readText(notePath(home), limit: Limits.socketPathBytes)
        if let noted, noted.hasPrefix("/") { return noted }
        return home.path + "/node.sock"
    }

    private static func notePath(_ home: HomeFolder) -> String { home.path + "/socket" }

    private static func shortFolder(_ home: HomeFolder, _ environment: Environment) throws(NodeError) -> String {
        let tag = String(Blake2b.hash16(Array(home.path.utf8)).hex.prefix(16))
        let runtime = environment[name: "XDG_RUNTIME_DIR"].map { "\($0)/kachat-\(tag)" }
        let temporary = "/tmp/kachat-\(getuid())-\(tag)"
        for folder in [runtime, temporary] {
            guard let folder, (folder + "/node.sock").utf8.count <= Limits.socketPathBytes else { continue }
            if isPrivate(folder) { return folder }
        }
        throw NodeError(
            .failed, "the path of the home \(home.path) is too long for a socket, and \(temporary) cannot be created")
    }

    /// Creates the folder, or checks that the existing one belongs to us alone: /tmp is open to everybody.
    private static func isPrivate(_ folder: String) -> Bool {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return false }
        var status = stat()
        guard lstat(folder, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid() && status.st_mode & 0o077 == 0
    }
}
