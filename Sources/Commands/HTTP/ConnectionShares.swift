package import NodeCore

/// Decides which connections of a listener may stay, as a value: it takes events of the connections, and returns the
/// ones to end.
///
/// A connection is unknown until a request on it shows a valid token. The oldest unknown connection gives way to a new
/// one, so opening silent connections shuts nobody out. From its first valid token on, a connection counts against the
/// share of the token's holder.
package struct ConnectionShares: Sendable {
    package typealias ID = UInt64

    /// Maximum numbers of connections.
    package struct Capacity: Sendable {
        /// Without a valid token so far.
        package var unknown: Int
        /// With a valid token.
        package var known: Int
        /// Known connections of one holder.
        package var ofOne: Int
        /// Connections of one holder that last until somebody ends them.
        package var lastingOfOne: Int

        /// All together.
        package var all: Int { unknown + known }
    }

    package enum Order: Equatable, Sendable {
        /// Send an error about lacking room, then close: nothing was answered on it yet.
        case refuse(ID)
        case end(ID)
    }

    package enum Claim: Equatable, Sendable {
        /// May end an idle connection to make room.
        case granted(ending: ID?)
        case refused(HTTPRefusal)
    }

    private struct Entry {
        let id: ID
        var phase = Phase.fresh
        var holder: HTTPHolder?
        var isLasting = false
        /// The latest time for the awaited bytes; nil if none are awaited, or before the first look at the clock.
        var deadline: MonotonicTime?
        /// Grows with the start of the phase.
        var order: UInt64
        /// Bytes of the body since the deadline was set.
        var bodyBytes = 0
    }

    private enum Phase {
        /// No head has arrived yet. Next: request.
        case fresh
        /// A head has arrived and its answer is not out. Next: idle.
        case request
        /// Everything was answered, and the next head is awaited. Next: request.
        case idle
    }

    package let capacity: Capacity
    /// In the order of their arrival.
    private var entries: [Entry] = []
    private var nextOrder: UInt64 = 0
    /// Connections since the last look.
    private var untimed: [ID] = []
    private var nextLook: MonotonicTime?

    package init(_ capacity: Capacity) { self.capacity = capacity }

    /// Connections that may stay.
    package var count: Int { entries.count }

    // MARK: Events

    /// A connection was accepted. It always finds a place; its time starts with the next look.
    package mutating func open(_ id: ID) -> Order? {
        let unknown = entries.filter { $0.holder == nil }
        let order = unknown.count < capacity.unknown ? nil : oldest(unknown).map { take($0) }
        entries.append(Entry(id: id, order: draw()))
        untimed.append(id)
        return order
    }

    /// The head of a request has arrived: nothing is awaited.
    package mutating func beginRequest(_ id: ID) {
        begin(.request, of: id)
        expect(id, by: nil)
    }

    /// The request is a holder's, and needs a place.
    ///
    /// - Parameter isLasting: it lasts until somebody ends it, like an event stream.
    package mutating func claim(_ id: ID, for holder: HTTPHolder, isLasting: Bool) -> Claim {
        guard let index = index(id) else { return .refused(.all) }
        let own = entries.filter { $0.holder == holder && $0.id != id }
        if isLasting, own.count(where: \.isLasting) >= capacity.lastingOfOne {
            return .refused(.lasting(capacity.lastingOfOne))
        }
        var ending: ID?
        if own.count >= capacity.ofOne {
            guard let idle = oldest(own.filter { $0.phase == .idle }) else { return .refused(.share(capacity.ofOne)) }
            ending = idle.id
        } else if entries[index].holder == nil, known >= capacity.known {
            guard let idle = oldest(entries.filter { $0.holder != nil && $0.phase == .idle }) else {
                return .refused(.all)
            }
            ending = idle.id
        }
        entries[index].holder = holder
        entries[index].isLasting = isLasting
        if let ending { close(ending) }
        return .granted(ending: ending)
    }

    /// A body follows the head, or continues after a hold.
    package mutating func expectBody(_ id: ID, now: MonotonicTime) { expect(id, by: now + Limits.bodyTime) }

    /// Bytes of the body arrived: with enough of them the time restarts.
    package mutating func receiveBody(_ id: ID, bytes: Int, now: MonotonicTime) {
        guard let index = index(id), entries[index].deadline != nil else { return }
        entries[index].bodyBytes += bytes
        if entries[index].bodyBytes >= Limits.bodyProgressBytes { expectBody(id, now: now) }
    }

    /// The body is complete, or the node itself delays it.
    package mutating func endBody(_ id: ID) { expect(id, by: nil) }

    /// The answer is out: the next request is awaited.
    package mutating func endRequest(_ id: ID, now: MonotonicTime) {
        begin(.idle, of: id)
        expect(id, by: now + Limits.requestTime)
    }

    /// The connection is closed, or no longer this listener's.
    package mutating func close(_ id: ID) {
        entries.removeAll { $0.id == id }
        untimed.removeAll { $0 == id }
    }

    // MARK: Time

    /// The time for the next call of `look`; nil while nothing is awaited.
    package var deadline: MonotonicTime? { untimed.isEmpty ? nextLook : .zero }

    /// Ends overdue connections. Looks only every few seconds, so deadlines are that precise.
    package mutating func look(_ now: MonotonicTime) -> [Order] {
        for id in untimed {
            guard let index = index(id), entries[index].phase == .fresh else { continue }
            expect(id, by: now + Limits.requestTime)
        }
        untimed = []
        guard let nextLook, nextLook <= now else { return [] }
        let late = entries.filter { $0.deadline.map { $0 <= now } ?? false }
        for entry in late { close(entry.id) }
        self.nextLook = entries.contains { $0.deadline != nil } ? now + Limits.lookInterval : nil
        return late.map { .end($0.id) }
    }

    // MARK: Entries

    private var known: Int { entries.count { $0.holder != nil } }

    private func index(_ id: ID) -> Int? { entries.firstIndex { $0.id == id } }

    private func oldest(_ some: [Entry]) -> Entry? { some.min { $0.order < $1.order } }

    /// Removes the entry to make room.
    private mutating func take(_ entry: Entry) -> Order {
        close(entry.id)
        return entry.phase == .fresh ? .refuse(entry.id) : .end(entry.id)
    }

    private mutating func begin(_ phase: Phase, of id: ID) {
        guard let index = index(id) else { return }
        entries[index].phase = phase
        entries[index].isLasting = false
        entries[index].order = draw()
    }

    private mutating func expect(_ id: ID, by deadline: MonotonicTime?) {
        guard let index = index(id) else { return }
        entries[index].deadline = deadline
        entries[index].bodyBytes = 0
        // All waiting times are equal, so no later deadline is due earlier.
        if let deadline, nextLook == nil { nextLook = deadline }
    }

    private mutating func draw() -> UInt64 {
        nextOrder += 1
        return nextOrder
    }
}

extension ConnectionShares.Capacity {
    /// For the API's port, in a node with so many descriptors for connections: each kind has at most an eighth of them.
    package static func port(descriptors: Int) -> Self {
        let share = max(1, descriptors / 8)
        return Self(
            unknown: min(Limits.unknownConnections, share), known: min(Limits.knownConnections, share),
            ofOne: min(Limits.connectionsOfOne, share), lastingOfOne: min(Limits.eventStreamsOfOne, share))
    }

    /// For the home's socket: all its connections have the same holder.
    package static let home = Self(
        unknown: Limits.homeConnections, known: Limits.homeConnections, ofOne: Limits.homeConnections,
        lastingOfOne: Limits.lastingHomeConnections)
}
