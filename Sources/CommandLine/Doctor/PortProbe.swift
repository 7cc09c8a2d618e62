import Commands
import Node
import NodeCore
import NodeModel
import Transport

/// Tests whether the node's port for other devices accepts connections from this machine.
enum PortProbe {
    /// - Parameter listen: `HOST:PORT` as the node tells it.
    static func check(_ listen: String) -> Check {
        let details = Check.Details { $0.listen = listen }
        guard let address = SocketAddress(listen).map(reachable) else {
            return Check("port", .failure, "the node listens on \(listen), which is not an address", details: details)
        }
        guard answers(address) else {
            return Check(
                "port", .failure, "nothing accepts connections on \(listen)",
                advice: "allow TCP port \(address.port) in the firewall, and check that the node is not stopped",
                details: details)
        }
        return Check(
            "port", .ok, "TCP \(listen) accepts connections",
            advice: "a firewall must allow TCP port \(address.port) from the local network", details: details)
    }

    /// Replaces the wildcard address by the loopback address.
    private static func reachable(_ address: SocketAddress) -> SocketAddress {
        guard address.hostBytes.allSatisfy({ $0 == 0 }) else { return address }
        return address.family == .ipv4
            ? SocketAddress(ipv4: 0x7F00_0001, port: address.port)
            : SocketAddress("[::1]:\(address.port)") ?? address
    }

    private static func answers(_ address: SocketAddress) -> Bool {
        guard let loop = try? EventLoop(clock: SystemClock()),
            let stream = try? StreamConnection(connectingTo: address, on: loop)
        else { return false }
        defer { stream.close() }
        var isConnected = false
        var isOver = false
        stream.handler = { event, _ in
            switch event {
            case .connected, .bytes: isConnected = true
            case .failed, .endOfInput: isOver = true
            case .writable: break
            }
        }
        let clock = SystemClock()
        let until = clock.now() + Commands.Limits.doctorPatience
        // At least one turn, even if this process was paused past the deadline.
        repeat {
            do { try loop.turn(limit: .milliseconds(20)) } catch { return false }
        } while !isConnected && !isOver && clock.now() < until
        return isConnected
    }
}
