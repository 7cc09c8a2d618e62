import CTrials
import Glibc
import NodeCore
import ProcessHarness
import Testing

@testable import Transport

/// Two network namespaces with a veth pair between them, for one thread; they vanish with their last descriptor.
final class Namespaces {
    struct End {
        /// The namespace, /proc/…/ns/net.
        let descriptor: Int32
        /// The cable's end in it.
        let interface: String

        /// Makes the calling thread, and the sockets it opens, part of this namespace.
        func enter() throws {
            try #require(kachat_enter_network_namespace(descriptor) == 0, "setns: \(errno)")
        }

        /// The cable's end as beacons see it. The kernel takes a moment to notice that the other end is plugged in.
        func beaconInterface() throws -> NetworkInterface {
            for _ in 0..<500 {
                let chosen = NetworkInterface.forBeacons(among: try NetworkInterface.list(), named: [interface])
                if let chosen = chosen.first { return chosen }
                poll(nil, 0, 10)
            }
            throw SystemError(code: ENETDOWN, call: interface)
        }
    }

    let ends: [End]

    private init() throws {
        var ends: [End] = []
        for name in ["va", "vb"] {
            try #require(kachat_new_network_namespace() == 0, "unshare: \(errno)")
            ends.append(End(descriptor: open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC), interface: name))
        }
        self.ends = ends
        try ends[0].enter()
        let other = "/proc/\(getpid())/fd/\(ends[1].descriptor)"
        try Self.ip("link", "add", "va", "type", "veth", "peer", "name", "vb", "netns", other)
        for (number, end) in ends.enumerated() {
            try end.enter()
            try Self.ip("link", "set", "lo", "up")
            // These addresses are valid at once; the kernel would probe its own link-local one for a second or two.
            try Self.ip("link", "set", end.interface, "addrgenmode", "none")
            try Self.ip("addr", "add", "10.77.0.\(number + 1)/24", "broadcast", "10.77.0.255", "dev", end.interface)
            try Self.ip("addr", "add", "fe80::77:\(number + 1)/64", "dev", end.interface, "nodad")
            try Self.ip("link", "set", end.interface, "up")
        }
    }

    deinit {
        for end in ends { close(end.descriptor) }
    }

    /// Runs `body` on a thread that has left the test's namespace, or prints why that is not possible.
    static func onOwnThread(_ body: @escaping @Sendable (Namespaces) throws -> Void) throws {
        guard geteuid() == 0, access("/usr/sbin/ip", X_OK) == 0 || access("/sbin/ip", X_OK) == 0 else {
            print("skipped: network namespaces need root and the ip command")
            return
        }
        let thread = Worker {
            do {
                try body(try Namespaces())
            } catch {
                Issue.record(error)
            }
        }
        thread.join()
    }

    /// Runs ip(8) in the thread's namespace and returns its output.
    @discardableResult
    static func ip(_ arguments: String...) throws -> String {
        let result = try Command("ip", arguments).run()
        try #require(result.status.isSuccess, "ip \(arguments.joined(separator: " ")): \(result.errorOutput)")
        return result.output
    }
}
