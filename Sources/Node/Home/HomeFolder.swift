import Glibc
package import NodeCore

/// The one folder that holds everything of a node.
///
/// ```
/// identity      secrets of the device and its accounts (0600)
/// lock          held by the process that uses this home
/// node.sock     the running node's socket for commands (0600)
/// socket        the socket's path, if the home's path is too long for one
/// config.json   the user's settings
/// care.json     the date of the last backup
/// tokens.json   hashes of the local API's tokens (0600)
/// login-*.html  leads a browser to the dashboard, for a minute (0600)
/// zones/        one database per zone
/// ```
package struct HomeFolder: Sendable {
    /// Absolute.
    package let path: String

    package init(path: String) {
        self.path = Files.absolute(path)
    }

    /// `--home`, otherwise `KACHAT_HOME`, otherwise `kachat-node` in the XDG data folder.
    package static func resolve(flag: String?, environment: Environment) throws(NodeError) -> HomeFolder {
        if let flag { return HomeFolder(path: flag) }
        if let path = environment[name: "KACHAT_HOME"] { return HomeFolder(path: path) }
        if let data = environment[name: "XDG_DATA_HOME"], data.hasPrefix("/") {
            return HomeFolder(path: data + "/kachat-node")
        }
        guard let user = environment[name: "HOME"] else {
            throw NodeError(.usage, "there is no default home folder: give --home DIR or set KACHAT_HOME")
        }
        return HomeFolder(path: user + "/.local/share/kachat-node")
    }

    package var identityPath: String { path + "/identity" }
    package var lockPath: String { path + "/lock" }
    package var settingsPath: String { path + "/config.json" }
    var carePath: String { path + "/care.json" }
    package var tokensPath: String { path + "/tokens.json" }
    package var zonesPath: String { path + "/zones" }

    /// A page that takes a browser to the dashboard.
    ///
    /// - Parameter tag: distinguishes several of them.
    package func loginPagePath(_ tag: String) -> String { path + "/login-\(tag).html" }

    /// True if `loginPagePath` could have produced this name.
    package static func isLoginPage(_ name: String) -> Bool {
        // Includes files whose writing was interrupted.
        name.hasPrefix("login-") && (name.hasSuffix(".html") || name.hasSuffix(".html.new"))
    }

    /// The user's own results from groups that were left.
    package var leftScoresPath: String { path + "/left" }

    /// The database of a zone. Sixteen hex digits distinguish a person's few zones and keep the path short.
    package func databasePath(of zone: some Identifier32) -> String {
        zonesPath + "/" + String(zone.hex.prefix(16)) + ".db"
    }

    /// A file that exists while an account's store is being made and the identity does not list it yet. A store left so
    /// by a kill has never served, and has no data of its user.
    func unlistedMark(of zone: ZoneID) -> String { databasePath(of: zone) + ".unlisted" }

    /// True if an account has no store, or only one that a kill left unfinished.
    func isFree(_ zone: ZoneID) -> Bool {
        !Files.exists(databasePath(of: zone)) || Files.exists(unlistedMark(of: zone))
    }

    /// Notes that the account is in the identity: its store is never taken for one that a kill left unfinished.
    func noteListed(_ zone: ZoneID) { unlink(unlistedMark(of: zone)) }

    func deleteStore(of zone: ZoneID) {
        for suffix in ["", "-wal", "-shm", GuardFile.suffix] { unlink(databasePath(of: zone) + suffix) }
        noteListed(zone)
    }

    /// True if `databasePath` could have produced this name.
    package static func isDatabase(_ name: String) -> Bool { isHex(name, suffix: ".db") }

    /// True for sixteen lower-case hex digits and the suffix; for no other name.
    package static func isHex(_ name: String, suffix: String) -> Bool {
        name.hasSuffix(suffix) && name.utf8.count == 16 + suffix.utf8.count
            && name.utf8.prefix(16).allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    package var hasIdentity: Bool { Files.exists(identityPath) }

    /// Creates missing folders, for the owner only.
    package func create() throws(NodeError) {
        do {
            try Files.makeFolders(path)
            try Files.makeFolders(zonesPath)
        } catch {
            throw notWritable(error)
        }
    }

    package func notWritable(_ error: FileError) -> NodeError {
        if error.isOutOfRoom { return .storageFull }
        return NodeError(
            .homeNotWritable, "cannot write to the home \(path): \(error.reason); choose another with --home DIR")
    }
}

/// The exclusive right to use a home: held by one process at a time, released when the value ends or the process dies.
package final class HomeLock {
    private let file: FileDescriptor

    /// True if the process that last took the lock is alive. It does not take the lock, so that it keeps nobody else
    /// out. The kernel may have reused the process id, so use this only for a short wait.
    package static func hasHolder(_ home: HomeFolder) -> Bool {
        guard let text = try? Files.readText(home.lockPath, limit: 20), let process = Int32(text.dropLast()) else {
            return false
        }
        return process > 0 && process != getpid() && (kill(process, 0) == 0 || errno == EPERM)
    }

    /// Takes the lock, or throws an error that names its holder; never waits.
    package init(_ home: HomeFolder) throws(NodeError) {
        let holder: String?
        do {
            file = try FileDescriptor(path: home.lockPath, flags: O_RDWR | O_CREAT)
            holder =
                try file.lockExclusively() ? nil : String(decoding: file.readAll(limit: 20), as: UTF8.self)
        } catch {
            throw home.notWritable(error)
        }
        if let holder {
            let process = holder.isEmpty ? "" : " (process \(holder.prefix { $0.isNumber }))"
            throw NodeError(.homeInUse, "the home \(home.path) is in use by another kachat-node\(process)")
        }
        // On a full disk the lock holds without it.
        try? file.truncate(to: 0)
        try? file.write(Array("\(getpid())\n".utf8))
    }
}

extension Program {
    /// For a node's texts, which are read in other shells.
    package init(home: HomeFolder, environment: Environment) {
        // Not by KACHAT_HOME: this service or shell may have it, while the shell in which the text is pasted lacks it.
        let user = Environment(["HOME": environment[name: "HOME"] ?? ""])
        let usual = try? HomeFolder.resolve(flag: nil, environment: user)
        self.init(flag: usual?.path == home.path ? nil : home.path)
    }
}
