package import NodeCore

/// Counts connections, so that strangers can only use a fixed part of the node, and never all of it. When the places
/// are taken, the oldest connection of the address with most of them is closed.
package struct AdmissionControl: Sendable {
    /// The maximum numbers of connections of a node.
    package struct Capacity: Sendable {
        package var halfOpen = Limits.halfOpenConnections
        /// Of the half-open ones, reserved for addresses where a device was seen.
        package var halfOpenForKnown = Limits.halfOpenConnectionsForKnown
        package var halfOpenPerAddress = Limits.halfOpenConnectionsPerAddress
        package var sessions = Limits.sessions

        package init() {}
    }

    /// The decision about an accepted connection.
    package enum Outcome: Hashable, Sendable {
        /// It may begin its handshake.
        case taken
        /// It may begin its handshake, and the other connection is closed silently.
        case takenInPlaceOf(SessionID)
        /// It is closed silently.
        case refused(AdmissionRefusal)
    }

    /// A connection whose peer has not shown yet that it belongs here.
    private struct HalfOpen {
        let id: SessionID
        let host: SocketAddress
        let isKnown: Bool
        /// The peer holds one of our keys. Outsiders know a pairing's keys, too, and former members a group's old ones.
        var hasKey = false
    }

    package let capacity: Capacity
    /// Oldest first.
    private var halfOpens: [HalfOpen] = []
    /// Sessions with peers that have shown that they belong here, whoever opened them.
    private var sessions: Set<SessionID> = []
    private var refusals = [Int](repeating: 0, count: AdmissionRefusal.allCases.count)

    package init(capacity: Capacity = Capacity()) {
        self.capacity = capacity
    }

    /// Number of accepted connections whose peers have not shown yet that they belong here.
    package var halfOpen: Int { halfOpens.count }

    /// How often a connection was refused, or displaced, for this reason.
    package func refused(_ reason: AdmissionRefusal) -> Int { refusals[reason.rawValue] }

    /// Whether there is room for another session.
    package var hasRoom: Bool { sessions.count < capacity.sessions }

    /// Handles an accepted connection. Even if all sessions are taken it may begin: a peer that turns out to be a
    /// device is told when to come back, or displaces another.
    ///
    /// - Parameter isKnown: a device of a zone was seen at that address.
    package mutating func accept(_ id: SessionID, from address: SocketAddress, isKnown: Bool) -> Outcome {
        let newcomer = HalfOpen(id: id, host: address.unmapped.with(port: 0), isKnown: isKnown)
        if halfOpens.count(where: { $0.host == newcomer.host }) >= capacity.halfOpenPerAddress {
            // Within one address, a connection that has shown a key is not displaced by one that has not.
            let silent = halfOpens.firstIndex { $0.host == newcomer.host && !$0.hasKey }
            return take(newcomer, inPlaceOf: silent, .tooManyFromAddress)
        }
        let strangers = halfOpens.indices.filter { !halfOpens[$0].isKnown }
        let isCrowded = !isKnown && strangers.count >= capacity.halfOpen - capacity.halfOpenForKnown
        guard isCrowded || halfOpens.count >= capacity.halfOpen else {
            halfOpens.append(newcomer)
            return .taken
        }
        let candidates = strangers.isEmpty ? Array(halfOpens.indices) : strangers
        return take(newcomer, inPlaceOf: greediest(of: candidates, besides: newcomer), .tooManyHalfOpen)
    }

    /// The connection to close, from the address with most places, counting the newcomer: its oldest connection that
    /// has shown no key, otherwise its oldest. An address that uses one place keeps it while another uses two.
    private func greediest(of candidates: [Int], besides newcomer: HalfOpen) -> Int? {
        candidates.max { left, right in
            rank(left, newcomer) < rank(right, newcomer)
        }
    }

    private func rank(_ index: Int, _ newcomer: HalfOpen) -> (places: Int, isSilent: Int, age: Int) {
        let host = halfOpens[index].host
        let places = halfOpens.count { $0.host == host } + (host == newcomer.host ? 1 : 0)
        return (places, halfOpens[index].hasKey ? 0 : 1, -index)
    }

    private mutating func take(_ newcomer: HalfOpen, inPlaceOf index: Int?, _ reason: AdmissionRefusal) -> Outcome {
        refusals[reason.rawValue] += 1
        guard let index else { return .refused(reason) }
        let gone = halfOpens.remove(at: index)
        halfOpens.append(newcomer)
        return .takenInPlaceOf(gone.id)
    }

    /// The peer has shown that it holds a key. That does not extend the time for its handshake.
    package mutating func noteKey(_ id: SessionID) {
        guard let index = halfOpens.firstIndex(where: { $0.id == id }) else { return }
        halfOpens[index].hasKey = true
    }

    /// A peer, whoever dialled, has shown that it belongs here. Returns nil if its session may stay.
    package mutating func establish(_ id: SessionID) -> AdmissionRefusal? {
        halfOpens.removeAll { $0.id == id }
        guard hasRoom else {
            refusals[AdmissionRefusal.tooManySessions.rawValue] += 1
            return .tooManySessions
        }
        sessions.insert(id)
        return nil
    }

    /// A connection has ended or is being displaced: it no longer counts.
    package mutating func end(_ id: SessionID) {
        halfOpens.removeAll { $0.id == id }
        sessions.remove(id)
    }
}

/// Why a connection was closed before it became a session.
package enum AdmissionRefusal: Int, CaseIterable, Sendable {
    /// Too many connections that have proved nothing yet.
    case tooManyHalfOpen
    /// Too many such connections from that address.
    case tooManyFromAddress
    /// All sessions are taken.
    case tooManySessions
}
