import Commands
import Node
import NodeCore
import NodeModel
import Transport

/// Whether the node's port for other devices takes connections from this machine.
enum PortProbe {
    /// - Parameter listen: `HOST:PORT` as the node tells it.
    static func check(_ listen: String) -> Check {
        let details = Check.Details { $0.listen = listen }
        guard let address = SocketAddress(listen).map(reachable) else {
            return Check("port", .failure, "the node listens on \(listen), which is no address", details: details)
        }
        guard answers(address) else {
            return Check(
                "port", .failure, "nothing takes connections on \(listen)",
                advice: "allow TCP port \(address.port) in the firewall, and see whether the node is stopped",
                details: details)
        }
        return Check(
            "port", .ok, "TCP \(listen) takes connections",
            advice: "a firewall has to let TCP port \(address.port) in from the local network", details: details)
    }

    /// All addresses of the machine are reached by its loopback one.
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
        // At least once, however long this process had to wait meanwhile.
        repeat {
            do { try loop.turn(limit: .milliseconds(20)) } catch { return false }
        } while !isConnected && !isOver && clock.now() < until
        return isConnected
    }
}
