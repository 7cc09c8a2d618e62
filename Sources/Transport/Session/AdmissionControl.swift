package import NodeCore

/// Counts connections, so that strangers can take up no more than a fixed part of the node, and never all of it: where
/// the places are taken, the oldest connection of the address that has most of them makes room.
package struct AdmissionControl: Sendable {
    /// How many of each a node takes.
    package struct Capacity: Sendable {
        package var halfOpen = Limits.halfOpenConnections
        /// Of these the ones for addresses at which a device was seen.
        package var halfOpenForKnown = Limits.halfOpenConnectionsForKnown
        package var halfOpenPerAddress = Limits.halfOpenConnectionsPerAddress
        package var sessions = Limits.sessions

        package init() {}
    }

    /// What becomes of a connection that was accepted.
    package enum Outcome: Hashable, Sendable {
        /// It may begin its handshake.
        case taken
        /// It may, and that other one is closed without a word.
        case takenInPlaceOf(UInt64)
        /// It is closed without a word.
        case refused(AdmissionRefusal)
    }

    /// A connection whose peer has not shown yet that it belongs here.
    private struct HalfOpen {
        let id: UInt64
        let host: SocketAddress
        let isKnown: Bool
        /// The peer holds one of our keys. Old keys of a group, and that of a pairing, are known to others too.
        var hasKey = false
    }

    package let capacity: Capacity
    /// The oldest first.
    private var halfOpens: [HalfOpen] = []
    /// Sessions with peers that have shown it, whoever opened them.
    package private(set) var sessions = 0
    private var refusals = [Int](repeating: 0, count: AdmissionRefusal.allCases.count)

    package init(capacity: Capacity = Capacity()) {
        self.capacity = capacity
    }

    /// Accepted connections whose peers have not shown yet that they belong here.
    package var halfOpen: Int { halfOpens.count }

    /// How often a connection was refused, or had to make room, for that reason.
    package func refused(_ reason: AdmissionRefusal) -> Int { refusals[reason.rawValue] }

    /// Whether one more session finds room.
    package var hasRoom: Bool { sessions < capacity.sessions }

    /// A connection was accepted. Where all sessions are taken it may begin all the same: who shows to be a device is
    /// told when to come back, or takes the place of another.
    ///
    /// - Parameters:
    ///   - id: names the connection here; never used again.
    ///   - isKnown: a device of a zone was seen at that address.
    package mutating func accept(_ id: UInt64, from address: SocketAddress, isKnown: Bool) -> Outcome {
        let newcomer = HalfOpen(id: id, host: address.unmapped.with(port: 0), isKnown: isKnown)
        if halfOpens.count(where: { $0.host == newcomer.host }) >= capacity.halfOpenPerAddress {
            // Of one address, nobody who has shown a key makes room for somebody who has not.
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

    /// Of the address with most places, the newcomer's among them, the oldest connection that has shown no key, else
    /// the oldest: an address that takes one place keeps it as long as another takes two.
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

    /// The peer has shown that it holds a key. It has no longer for its handshake.
    package mutating func noteKey(_ id: UInt64) {
        guard let index = halfOpens.firstIndex(where: { $0.id == id }) else { return }
        halfOpens[index].hasKey = true
    }

    /// An accepted connection ended before its peer showed anything, or is about to be asked for with `establish`. Not
    /// for one that made room.
    package mutating func endHandshake(_ id: UInt64) {
        guard let index = halfOpens.firstIndex(where: { $0.id == id }) else {
            preconditionFailure("invariant: each handshake ends once")
        }
        halfOpens.remove(at: index)
    }

    /// A peer, whoever dialled, has shown that it belongs here; nil if the session may stay.
    package mutating func establish() -> AdmissionRefusal? {
        guard hasRoom else {
            refusals[AdmissionRefusal.tooManySessions.rawValue] += 1
            return .tooManySessions
        }
        sessions += 1
        return nil
    }

    /// A session that `establish` let stay is over.
    package mutating func endSession() {
        precondition(sessions > 0, "invariant: each session ends once")
        sessions -= 1
    }
}
