import Glibc
import Node
import NodeCore

/// The systemd user unit by which a node runs from login on.
struct LoginStart {
    enum Outcome: Equatable {
        case enabled
        /// Why not, and what to do instead.
        case impossible(String)
    }

    static let unit = "kachat-node.service"

    let home: HomeFolder
    let environment: Environment

    /// Whether the unit is installed, and a service manager of this user is there to ask.
    var isPossible: Bool { ChildProgram.run("systemctl", ["--user", "cat", Self.unit]) == 0 }

    /// From now on, and with each login.
    func enable(program: String) -> Outcome {
        guard isPossible else {
            return .impossible(
                "there is no systemd of this user here, or \(Self.unit) is not installed: start it with "
                    + "`\(program) run`")
        }
        do throws(NodeError) {
            try nameHome()
        } catch {
            // What was set up stands without it.
            return .impossible("\(error.message); or start it with `\(program) run`")
        }
        guard ChildProgram.run("systemctl", ["--user", "daemon-reload"]) == 0,
            ChildProgram.run("systemctl", ["--user", "enable", "--now", Self.unit]) == 0
        else {
            return .impossible(
                "`systemctl --user enable --now \(Self.unit)` failed: `systemctl --user status \(Self.unit)` says why")
        }
        return .enabled
    }

    /// The unit serves the usual home; another one is named in a file beside it.
    private func nameHome() throws(NodeError) {
        guard
            let usual = try? HomeFolder.resolve(
                flag: nil, environment: Environment(["HOME": environment[name: "HOME"] ?? ""])),
            let user = environment[name: "HOME"]
        else { return }
        let folder = user + "/.config/systemd/user/\(Self.unit).d"
        guard usual.path != home.path else {
            // An earlier setup may have named another one.
            unlink(folder + "/home.conf")
            return
        }
        // What systemd reads as more than text in a line of a unit.
        guard home.path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"'\\%$".utf8.contains($0) }) else {
            throw NodeError(
                .failed, "a unit cannot name the home \(home.path): choose one without blanks and special characters")
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
