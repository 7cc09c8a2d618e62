package import NodeCore

/// Counts connections, so that strangers can only use a fixed part of the node, and never all of it.
///
/// An accepted connection waits in two rooms before its peer has shown that it belongs here: in the first one for its
/// first message, which a holder of a key sends at once, then in the second one for its HELLO. A full room still takes
/// a newcomer, and closes a connection of the address that has most places, counting the newcomer's: a peer that comes
/// with many connections displaces its own.
package struct AdmissionControl: Sendable {
    /// The maximum numbers of connections of a node.
    package struct Capacity: Sendable {
        /// Waiting for the first message.
        package var silent = Limits.silentConnections
        /// Waiting for HELLO. Their peers hold one of our keys: outsiders know a pairing's keys, too, and former
        /// members a group's old ones.
        package var greeting = Limits.greetingConnections
        /// More places in each room, for addresses where a device was met or heard.
        package var known = Limits.waitingConnectionsForKnown
        package var sessions = Limits.sessions

        package init() {}

        /// For a node with so many descriptors for connections: each room has at most a quarter of them.
        package init(descriptors: Int) {
            let share = max(1, descriptors / 4)
            silent = min(silent, share)
            greeting = min(greeting, share)
            known = min(known, share)
        }
    }

    private let capacity: Capacity
    private var silent: WaitingRoom
    private var greeting: WaitingRoom
    /// Sessions with peers that have shown that they belong here, whichever end opened them.
    private var sessions: Set<SessionID> = []
    /// How often a connection was closed for lack of room.
    package private(set) var turnedAway = 0

    package init(capacity: Capacity = Capacity()) {
        self.capacity = capacity
        silent = WaitingRoom(places: capacity.silent, placesForKnown: capacity.known)
        greeting = WaitingRoom(places: capacity.greeting, placesForKnown: capacity.known)
    }

    /// Number of accepted connections whose peers have not shown yet that they belong here.
    package var waiting: Int { silent.count + greeting.count }

    /// Whether there is room for another session.
    package var hasRoom: Bool { sessions.count < capacity.sessions }

    /// Handles an accepted connection. Even if all sessions are taken it may begin its handshake: a peer that turns out
    /// to be a device is told when to come back, or displaces another.
    ///
    /// - Parameter isKnown: a device of a zone was met or heard at that address.
    /// - Returns: the connection to close in its favour, if any.
    package mutating func accept(_ id: SessionID, from address: SocketAddress, isKnown: Bool) -> SessionID? {
        let guest = WaitingRoom.Guest(host: address.unmapped.with(port: 0), isKnown: isKnown)
        return note(silent.add(id, guest))
    }

    /// Notes that the peer of an accepted connection has sent a first message that one of our keys opens.
    ///
    /// - Returns: the connection to close in its favour, if any.
    package mutating func noteKey(_ id: SessionID) -> SessionID? {
        silent.remove(id).flatMap { note(greeting.add(id, $0)) }
    }

    private mutating func note(_ displaced: SessionID?) -> SessionID? {
        if displaced != nil { turnedAway += 1 }
        return displaced
    }

    /// Notes that a peer has shown that it belongs here, whichever end dialled. True if its session may stay.
    package mutating func establish(_ id: SessionID) -> Bool {
        _ = greeting.remove(id)
        guard hasRoom else {
            turnedAway += 1
            return false
        }
        sessions.insert(id)
        return true
    }

    /// Stops counting a connection that has ended or is being displaced.
    package mutating func end(_ id: SessionID) {
        _ = silent.remove(id)
        _ = greeting.remove(id)
        sessions.remove(id)
    }
}

/// A bounded number of connections, by the address that they came from.
private struct WaitingRoom {
    struct Guest {
        let host: SocketAddress
        let isKnown: Bool
    }

    private let places: Int
    private let placesForKnown: Int
    private var guests: [SessionID: Guest] = [:]
    /// Connections in ordinary places. Oldest first, which is the order of their numbers.
    private var hosts: [SocketAddress: [SessionID]] = [:]
    private var ordinary = 0

    init(places: Int, placesForKnown: Int) {
        (self.places, self.placesForKnown) = (places, placesForKnown)
    }

    var count: Int { guests.count }

    /// Returns the connection that loses its place: the oldest one of the address that has most.
    mutating func add(_ id: SessionID, _ guest: Guest) -> SessionID? {
        let reserved = guests.count - ordinary
        guests[id] = guest
        if guest.isKnown, reserved < placesForKnown { return nil }
        hosts[guest.host, default: []].append(id)
        ordinary += 1
        guard ordinary > places else { return nil }
        // If several addresses have equally many, the one with the oldest connection.
        let greediest = hosts.values.max { ($0.count, $1[0]) < ($1.count, $0[0]) }
        guard let displaced = greediest?.first else { return nil }
        _ = remove(displaced)
        return displaced
    }

    mutating func remove(_ id: SessionID) -> Guest? {
        guard let guest = guests.removeValue(forKey: id) else { return nil }
        guard var others = hosts[guest.host], let index = others.firstIndex(of: id) else { return guest }
        others.remove(at: index)
        hosts[guest.host] = others.isEmpty ? nil : others
        ordinary -= 1
        return guest
    }
}
