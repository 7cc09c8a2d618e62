package import NodeCore

/// Whether the peers have said what they have by now.
extension ZoneSync {
    /// Asks each peer for a word; `haveAnswered` says when all of them have given it, or are gone.
    package func askAll() -> [SessionID: UInt64] {
        var ticket: [SessionID: UInt64] = [:]
        for id in sessionIDs where sessions[id]?.peer != nil {
            ping(id)
            ticket[id] = sessions[id]?.pingsSent
        }
        return ticket
    }

    package func haveAnswered(_ ticket: [SessionID: UInt64]) -> Bool {
        ticket.allSatisfy { id, ping in sessions[id].map { $0.pongsReceived >= ping } ?? true }
    }

    /// Whether any peer owes an answer.
    package var isExpectingAny: Bool { sessions.values.contains(where: \.isExpecting) }

    /// Whether records are still coming: what they point to is not known yet.
    package var isFetchingRecords: Bool { sessions.values.contains { !$0.pulling.isEmpty } }

    /// Sessions, those too in which nobody said yet who it is.
    package var hasSessions: Bool { !sessions.isEmpty }

    /// When blobs that no peer has are looked for again.
    package var nextAbsentLook: MonotonicTime? { wants.nextWake }

    func ping(_ id: SessionID) {
        sessions[id]?.pingsSent += 1
        send(.ping, to: id)
    }
}
