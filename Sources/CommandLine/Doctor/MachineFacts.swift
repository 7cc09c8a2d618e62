import Commands
import Glibc
import Node
import NodeModel

/// Properties of the machine that can keep devices apart: a firewall or a container.
struct MachineFacts {
    /// The installed ones of `nft`, `iptables`, `ufw` and `firewall-cmd`.
    var firewalls: [String] = []
    /// `ufw` is configured to start.
    var isUFWEnabled = false
    /// The evidence that this is a container; nil if there is none.
    var container: String?
    /// The Windows Subsystem for Linux.
    var isWSL = false

    static func gathered() -> MachineFacts {
        var facts = MachineFacts()
        facts.firewalls = ["nft", "iptables", "ufw", "firewall-cmd"].filter { name in
            ["/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/"].contains { access($0 + name, X_OK) == 0 }
        }
        facts.isUFWEnabled = text("/etc/ufw/ufw.conf").split(separator: "\n").contains("ENABLED=yes")
        facts.container = containerMark(
            hasDockerFile: Files.exists("/.dockerenv"), hasContainerFile: Files.exists("/run/.containerenv"),
            cgroup: text("/proc/1/cgroup"))
        facts.isWSL = text("/proc/sys/kernel/osrelease").lowercased().contains("microsoft")
        return facts
    }

    static func containerMark(hasDockerFile: Bool, hasContainerFile: Bool, cgroup: String) -> String? {
        if hasDockerFile { return "/.dockerenv" }
        if hasContainerFile { return "/run/.containerenv" }
        let word = ["docker", "kubepods", "containerd", "libpod", "lxc"].first { cgroup.contains($0) }
        return word.map { "\($0) in /proc/1/cgroup" }
    }

    private static func text(_ path: String) -> String { (try? Files.readText(path, limit: 16 << 10)) ?? "" }

    var checks: [Check] { [firewall, surroundings].compactMap(\.self) }

    private var firewall: Check {
        let details = Check.Details { $0.installed = firewalls }
        let advice = "allow UDP port 47767 and the TCP port that `status` shows from the local network"
        if isUFWEnabled {
            return Check("firewall", .warning, "ufw is on", advice: "`ufw allow 47767`: " + advice, details: details)
        }
        guard !firewalls.isEmpty else {
            return Check("firewall", .ok, "no firewall tools are installed", details: details)
        }
        let names = firewalls.joined(separator: ", ")
        return Check(
            "firewall", .ok, "installed: \(names); the `discovery` check shows whether rules block beacons",
            details: details)
    }

    private var surroundings: Check? {
        if isWSL {
            return Check(
                "container", .warning, "this is the Windows Subsystem for Linux: it has its own network",
                advice: "choose mirrored networking in .wslconfig, or name devices with --peer HOST:PORT")
        }
        return container.map { mark in
            Check(
                "container", .warning,
                "this is a container (\(mark)): beacons reach the local network only through the host's network",
                advice: "start it with host networking (`--network host`), or name devices with --peer HOST:PORT",
                details: Check.Details { $0.mark = mark })
        }
    }
}
