package import NodeCore

/// Which connections at one door of the node may stay, as a value: it is told what happens on them, and says which
/// ones to end.
///
/// Nobody knows whose a connection is before a request on it shows a good token. Until then it stands among the unknown
/// ones, whose oldest gives way to a newcomer: so opening connections and saying nothing shuts nobody out. From its
/// first good token on a connection counts for the token's holder, who has a share and no more.
package struct ConnectionShares: Sendable {
    package typealias ID = UInt64

    /// How many connections there may be.
    package struct Capacity: Sendable {
        /// Those that have shown no good token.
        package var unknown: Int
        /// Those that have.
        package var known: Int
        /// Of these, one holder's.
        package var ofOne: Int
        /// Of these, the ones that go on until somebody ends them.
        package var lastingOfOne: Int

        /// All together.
        package var all: Int { unknown + known }
    }

    package enum Order: Equatable, Sendable {
        /// To be told that there is no room, and ended: nothing was answered on it yet.
        case refuse(ID)
        case end(ID)
    }

    package enum Claim: Equatable, Sendable {
        /// Ends an idle connection where the new one takes its place.
        case granted(ending: ID?)
        case refused(HTTPRefusal)
    }

    private struct Entry {
        let id: ID
        var phase = Phase.fresh
        var holder: HTTPHolder?
        var isLasting = false
        /// When what is waited for has to be here; nil: nothing is waited for, or the clock was not looked at yet.
        var deadline: MonotonicTime?
        /// The higher the later the phase began.
        var order: UInt64
        /// Of the body, since the deadline was moved.
        var bodyBytes = 0
    }

    private enum Phase {
        /// No head has come yet. Next: request.
        case fresh
        /// A head is here and its answer is not out. Next: idle.
        case request
        /// All was answered, and the next head is waited for. Next: request.
        case idle
    }

    package let capacity: Capacity
    /// In the order in which they came.
    private var entries: [Entry] = []
    private var nextOrder: UInt64 = 0
    /// Those that came since the last look.
    private var untimed: [ID] = []
    private var nextLook: MonotonicTime?

    package init(_ capacity: Capacity) { self.capacity = capacity }

    /// Connections that may stay.
    package var count: Int { entries.count }

    // MARK: What happens

    /// A connection was accepted; its time begins with the next look. It always finds a place.
    package mutating func open(_ id: ID) -> Order? {
        let unknown = entries.filter { $0.holder == nil }
        let order = unknown.count < capacity.unknown ? nil : oldest(unknown).map { take($0) }
        entries.append(Entry(id: id, order: draw()))
        untimed.append(id)
        return order
    }

    /// The head of a request is here: nothing is waited for.
    package mutating func beginRequest(_ id: ID) {
        begin(.request, of: id)
        expect(id, by: nil)
    }

    /// The request is a holder's, and asks for a place.
    ///
    /// - Parameter isLasting: it goes on until somebody ends it, as a stream of events does.
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

    /// A body follows the head, or is read on after it was held.
    package mutating func expectBody(_ id: ID, now: MonotonicTime) { expect(id, by: now + Limits.bodyTime) }

    /// Bytes of the body came: with enough of them the time begins again.
    package mutating func receiveBody(_ id: ID, bytes: Int, now: MonotonicTime) {
        guard let index = index(id), entries[index].deadline != nil else { return }
        entries[index].bodyBytes += bytes
        if entries[index].bodyBytes >= Limits.bodyProgressBytes { expectBody(id, now: now) }
    }

    /// The body is here, or the node itself holds it up.
    package mutating func endBody(_ id: ID) { expect(id, by: nil) }

    /// The answer is out: the next request is waited for.
    package mutating func endRequest(_ id: ID, now: MonotonicTime) {
        begin(.idle, of: id)
        expect(id, by: now + Limits.requestTime)
    }

    /// It is gone, or no longer this door's.
    package mutating func close(_ id: ID) {
        entries.removeAll { $0.id == id }
        untimed.removeAll { $0 == id }
    }

    // MARK: Time

    /// When `look` wants to be called; nil while nothing is waited for.
    package var deadline: MonotonicTime? { untimed.isEmpty ? nextLook : .zero }

    /// Which ones are over their time. They are looked through every few seconds only: a deadline is kept to that.
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

    /// The entry gives way.
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
        // What is waited for may take the same time everywhere: no later one is due earlier.
        if let deadline, nextLook == nil { nextLook = deadline }
    }

    private mutating func draw() -> UInt64 {
        nextOrder += 1
        return nextOrder
    }
}

extension ConnectionShares.Capacity {
    /// Of the API's port.
    package static let port = Self(
        unknown: Limits.unknownConnections, known: Limits.knownConnections, ofOne: Limits.connectionsOfOne,
        lastingOfOne: Limits.eventStreamsOfOne)

    /// Of the API on the home's socket: whoever opens it is one and the same.
    package static let home = Self(
        unknown: Limits.homeConnections, known: Limits.homeConnections, ofOne: Limits.homeConnections,
        lastingOfOne: Limits.lastingHomeConnections)
}
