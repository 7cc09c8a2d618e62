package import NodeCore
import SyncState

/// What peers asked for, made as their connections take it.
extension NodeMachine {
    /// Fills a session's queue with what its peer asked for, until about `budgetBytes` are there, or the session has
    /// had its part of the turn's work: small questions may make much of it, and others wait too.
    package func produce(on id: SessionID, budgetBytes: Int, now: MonotonicTime) {
        guard let link = links[id], let served = zone(link.zone), served.failure == nil else { return }
        let before = served.sync.counters.bytesSent
        do {
            let rows = serving.left(for: id)
            serving.note(try served.sync.produce(on: id, budgetBytes: budgetBytes, rows: rows), for: id)
            // All the work brought no answer yet: no socket will ask for more, so the clock does.
            if served.sync.counters.bytesSent == before, served.sync.isServing(id) { served.isDue = true }
        } catch {
            served.failure = error
        }
        collect(served, now: now)
    }

    package func isServing(_ id: SessionID) -> Bool {
        links[id].flatMap { zone($0.zone)?.sync.isServing(id) } ?? false
    }

    /// Whether the peer of a session owes an answer: then it must not be slow.
    package func isExpecting(_ id: SessionID) -> Bool {
        links[id].flatMap { zone($0.zone)?.sync.isExpecting(id) } ?? false
    }
}

/// The rows that may be read in a turn to answer peers: each session that is served has an equal part.
struct ServingShares {
    private let share: UInt64
    private var used: [SessionID: UInt64] = [:]

    /// - Parameter sessions: how many are served as the turn ends.
    init(sessions: Int) {
        share = max(Limits.servedRowsPerTurn / UInt64(max(sessions, 1)), Limits.servedRowsLeast)
    }

    func left(for id: SessionID) -> UInt64 { share - min(used[id] ?? 0, share) }

    mutating func note(_ rows: UInt64, for id: SessionID) { used[id, default: 0] += rows }
}
