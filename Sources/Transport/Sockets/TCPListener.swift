import CLinuxShim
import Glibc
package import NodeCore

/// Listens on a TCP address. Connections are passed on the loop's thread, open and without a handler; they keep to the
/// shared pace until their owner calls `hurry`.
package final class TCPListener {
    /// The address it listens on; for port 0, with the port that the system chose.
    package let address: SocketAddress
    private let listener: StreamListener

    /// Who connects. Other devices leave some descriptors to apps, and both leave some to the node's files and user.
    package enum Kind: Sendable {
        case devices
        /// - Parameter refusal: the answer to an app for which there is no descriptor.
        case apps(refusal: [UInt8])

        var room: StreamListener.Room {
            switch self {
            case .devices: .init(spared: Limits.sparedDescriptors + Limits.appDescriptors)
            case .apps(let refusal): .init(spared: Limits.sparedDescriptors, refusal: refusal)
            }
        }
    }

    /// - Parameters:
    ///   - address: port 0 for any free one; an IPv6 wildcard serves IPv6 only.
    ///   - kind: who connects.
    package init(
        on address: SocketAddress, for kind: Kind = .devices, loop: EventLoop,
        onConnection: @escaping (StreamConnection) -> Void
    ) throws(SystemError) {
        let descriptor = try System.call("socket") { kachat_stream_socket(address.systemFamily) }
        do throws(SystemError) {
            // Lets a restarted node take its port again while old connections linger.
            try System.setOption(descriptor, level: SOL_SOCKET, name: SO_REUSEADDR, to: 1)
            if address.family == .ipv6 {
                try System.setOption(descriptor, level: Int32(IPPROTO_IPV6), name: IPV6_V6ONLY, to: 1)
            }
            try address.withSystemAddress { pointer, length throws(SystemError) in
                _ = try System.call("bind") { bind(descriptor, pointer, length) }
            }
            self.address = try SocketAddress(boundBy: descriptor)
            listener = try StreamListener(
                descriptor, on: loop, pace: .shared, room: kind.room, onConnection: onConnection)
        } catch {
            System.close(descriptor)
            throw error
        }
    }

    /// Stops listening. Accepted connections stay open.
    package func close() {
        listener.close()
    }
}
