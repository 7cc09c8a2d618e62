import Glibc
import Node
import NodeCore

/// The systemd user unit that starts a node at login.
struct LoginStart {
    enum Outcome: Equatable {
        case enabled
        /// The reason, and what to do instead.
        case impossible(String)
    }

    static let unit = "kachat-node.service"

    let home: HomeFolder
    let environment: Environment

    /// True if the unit is installed and this user has a running service manager.
    var isPossible: Bool { ChildProgram.run("systemctl", ["--user", "cat", Self.unit]) == 0 }

    /// Starts the node now and at each login.
    func enable(program: String) -> Outcome {
        guard isPossible else {
            return .impossible(
                "this user has no systemd here, or \(Self.unit) is not installed: start the node with "
                    + "`\(program) run`")
        }
        do throws(NodeError) {
            try nameHome()
        } catch {
            // The setup itself succeeded.
            return .impossible("\(error.message); or start the node with `\(program) run`")
        }
        guard ChildProgram.run("systemctl", ["--user", "daemon-reload"]) == 0,
            ChildProgram.run("systemctl", ["--user", "enable", "--now", Self.unit]) == 0
        else {
            return .impossible(
                "`systemctl --user enable --now \(Self.unit)` failed: see `systemctl --user status \(Self.unit)`")
        }
        return .enabled
    }

    /// The unit serves the default home; a drop-in file names any other.
    private func nameHome() throws(NodeError) {
        guard
            let usual = try? HomeFolder.resolve(
                flag: nil, environment: Environment(["HOME": environment[name: "HOME"] ?? ""])),
            let user = environment[name: "HOME"]
        else { return }
        let folder = user + "/.config/systemd/user/\(Self.unit).d"
        guard usual.path != home.path else {
            // An earlier setup may have named another home.
            unlink(folder + "/home.conf")
            return
        }
        // Refuse characters that are special to systemd.
        guard home.path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"'\\%$".utf8.contains($0) }) else {
            throw NodeError(
                .failed, "a unit cannot name the home \(home.path): choose one without spaces and special characters")
        }
        let text = "[Unit]\nConditionPathExists=\n[Service]\nEnvironment=KACHAT_HOME=\(home.path)\n"
        do {
            try Files.makeFolders(folder)
            try Files.replace(folder + "/home.conf", with: Array(text.utf8))
        } catch {
            throw NodeError(.failed, "cannot write \(folder)/home.conf: \(error.reason)")
        }
    }
}
