package import NodeCore

/// Counts connections, so that strangers can take up no more than a fixed part of the node.
package struct AdmissionControl: Sendable {
    /// How many of each a node takes.
    package struct Capacity: Sendable {
        package var halfOpen = Limits.halfOpenConnections
        package var halfOpenPerAddress = Limits.halfOpenConnectionsPerAddress
        package var sessions = Limits.sessions

        package init() {}
    }

    package let capacity: Capacity
    /// Accepted connections whose peers have not shown yet that they belong here.
    package private(set) var halfOpen = 0
    /// Sessions with peers that have shown it, whoever opened them.
    package private(set) var sessions = 0
    private var halfOpenByHost: [SocketAddress: Int] = [:]
    private var refusals = [Int](repeating: 0, count: AdmissionRefusal.allCases.count)

    package init(capacity: Capacity = Capacity()) {
        self.capacity = capacity
    }

    /// How often a connection was refused for that reason.
    package func refused(_ reason: AdmissionRefusal) -> Int { refusals[reason.rawValue] }

    /// Whether one more session finds room.
    package var hasRoom: Bool { sessions < capacity.sessions }

    /// A connection was accepted; nil if it may begin its handshake, otherwise it is closed without a word. Where all
    /// sessions are taken it may: who shows to be a device is told when to come back, or takes the place of another.
    package mutating func accept(from address: SocketAddress) -> AdmissionRefusal? {
        let host = Self.host(address)
        if halfOpen >= capacity.halfOpen { return refuse(.tooManyHalfOpen) }
        if halfOpenByHost[host, default: 0] >= capacity.halfOpenPerAddress { return refuse(.tooManyFromAddress) }
        halfOpenByHost[host, default: 0] += 1
        halfOpen += 1
        return nil
    }

    /// An accepted connection ended before its peer showed anything, or is about to be asked for with `establish`.
    package mutating func endHandshake(from address: SocketAddress) {
        let host = Self.host(address)
        guard let count = halfOpenByHost[host] else {
            preconditionFailure("invariant: each handshake ends once")
        }
        halfOpenByHost[host] = count == 1 ? nil : count - 1
        halfOpen -= 1
    }

    /// A peer, whoever dialled, has shown that it belongs here; nil if the session may stay.
    package mutating func establish() -> AdmissionRefusal? {
        guard hasRoom else { return refuse(.tooManySessions) }
        sessions += 1
        return nil
    }

    /// A session that `establish` let stay is over.
    package mutating func endSession() {
        precondition(sessions > 0, "invariant: each session ends once")
        sessions -= 1
    }

    private mutating func refuse(_ reason: AdmissionRefusal) -> AdmissionRefusal {
        refusals[reason.rawValue] += 1
        return reason
    }

    private static func host(_ address: SocketAddress) -> SocketAddress { address.unmapped.with(port: 0) }
}
