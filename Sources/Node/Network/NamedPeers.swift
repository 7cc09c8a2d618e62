package import NodeCore
package import Transport

/// The peers that the user gave as `HOST:PORT`, and the addresses that they have now.
///
/// Names are looked up again and again: one may not exist yet when the node starts, as before a VPN is up, or mean
/// another address later. The system's resolver may take seconds, so a thread of its own asks it.
package final class NamedPeers {
    private typealias Found = [HostPort: [SocketAddress]]

    private let peers: [HostPort]
    private let loop: LoopHandle
    private let log: Log
    private let resolve: @Sendable (HostPort) -> [SocketAddress]
    /// Called with the addresses of all peers whenever they differ.
    private let didChange: ([SocketAddress], MonotonicTime) -> Void
    /// The thread's findings; it wakes the loop.
    private let answer = Lock<Found?>(nil)
    private var found: Found = [:]
    private var isLooking = false
    private var pause = Limits.nameLookPause
    /// When names are looked up next; nil if there is nothing to look up, or a look-up is under way.
    package private(set) var deadline: MonotonicTime?

    /// - Parameter names: `HOST:PORT`; others are ignored.
    package init(
        _ names: [String], loop: LoopHandle, log: Log,
        resolve: @escaping @Sendable (HostPort) -> [SocketAddress] = {
            SocketAddress.resolve(host: $0.host, port: $0.port)
        },
        now: MonotonicTime, didChange: @escaping ([SocketAddress], MonotonicTime) -> Void
    ) {
        peers = names.prefix(Limits.staticPeers).compactMap(HostPort.init)
        (self.loop, self.log, self.resolve, self.didChange) = (loop, log, resolve, didChange)
        for peer in peers {
            if let address = SocketAddress(peer.description) { found[peer] = [address] }
        }
        if !found.isEmpty { tell(now) }
        if !toLookUp.isEmpty { deadline = now }
    }

    /// Those given by a name.
    private var toLookUp: [HostPort] { peers.filter { SocketAddress($0.description) == nil } }

    private func tell(_ now: MonotonicTime) { didChange(peers.flatMap { found[$0] ?? [] }, now) }

    /// Takes what was found, and looks again when that is due.
    package func tick(_ now: MonotonicTime) {
        if let found = answer.withLock({ answer in
            defer { answer = nil }
            return answer
        }) {
            take(found, now)
        }
        guard let deadline, deadline <= now, !isLooking else { return }
        let (names, loop, answer, resolve) = (toLookUp, loop, answer, resolve)
        isLooking = DetachedThread.start {
            let found = Dictionary(names.map { ($0, resolve($0)) }) { first, _ in first }
            answer.withLock { $0 = found }
            loop.wake()
        }
        self.deadline = isLooking ? nil : now + Limits.nameLookPauseMost
    }

    private func take(_ looked: Found, _ now: MonotonicTime) {
        isLooking = false
        let before = found
        for (peer, addresses) in looked.sorted(by: { $0.key.description < $1.key.description }) {
            if addresses.isEmpty {
                log.once(
                    .warning, "unknown-host", subject: peer.description,
                    "--peer \(peer): no such host now; it is looked up again")
            } else {
                log.over("unknown-host", subject: peer.description)
                // Without an answer the last one holds: it may only be the resolver that is out of reach.
                found[peer] = addresses
            }
        }
        if found != before { tell(now) }
        let isWhole = looked.values.allSatisfy { !$0.isEmpty }
        pause = isWhole ? Limits.nameLookPauseMost : min(pause * 2, Limits.nameLookPauseMost)
        deadline = now + pause
    }

    /// Looks names up again: the network changed, or the machine woke up, and they may mean something else.
    package func lookAgain(_ now: MonotonicTime) {
        pause = Limits.nameLookPause
        if deadline != nil { deadline = now }
    }
}
