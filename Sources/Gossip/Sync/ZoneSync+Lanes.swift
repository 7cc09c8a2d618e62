import NodeCore
import SyncState

/// Decides what to do about each lane from the two vector entries. Repeated after each commit; each step is idempotent,
/// so that lost or overtaken messages do not matter.
extension ZoneSync {
    func look(at id: SessionID) throws {
        guard let session = sessions[id], session.peer != nil, session.hasView else { return }
        let lanes = Set(session.view.keys).union(ownEntries.map(\.lane)).sorted()
        if try peekFirst(lanes, on: id) { return }
        var isEqual = true
        for lane in lanes {
            if try !isLevel(lane, on: id) { isEqual = false }
        }
        if isEqual, sessions[id]?.pulling.isEmpty == true, !session.isCompared {
            sessions[id]?.isCompared = true
            hasCompared = true
        }
    }

    /// Whether a lane is equal at both ends. If not, takes the next step.
    private func isLevel(_ lane: LaneID, on id: SessionID) throws -> Bool {
        guard let session = sessions[id] else { return true }
        let own = ownEntry(lane)
        let other = session.view[lane] ?? .empty(lane)
        let isUnbacked = isUnbacked(other, of: session)
        if other.head > own.head, !isUnbacked {
            pull(lane, since: own.head, on: id)
            return false
        }
        guard own.head == other.head || isUnbacked else { return false }
        if session.stale.contains(lane) || session.barred[lane] != nil { return true }
        guard own.fingerprint != other.fingerprint else { return true }
        try heal(lane, own: own, other: other, on: id)
        return false
    }

    private func pull(_ lane: LaneID, since: UInt64, on id: SessionID) {
        // Several peers may be ahead in a lane: pulling from one is enough, as long as it delivers. The others are
        // compared once it is done.
        guard let session = sessions[id], session.pulling[lane] == nil else { return }
        let highest = store.lane(lane)?.highest ?? 0
        guard !session.rests(lane, above: highest) else { return }
        let last = session.intake.pulled[lane] ?? 0
        let isTurn = sessions.values.allSatisfy { other in
            if let pull = other.pulling[lane] { return pull.isOverdue }
            // No peer keeps a lane to itself: one that also shows more of it, and has waited longer, comes first.
            guard other.peer != nil, other.hasView, let entry = other.view[lane], entry.head > since,
                !isUnbacked(entry, of: other), !other.rests(lane, above: highest)
            else { return true }
            return other.intake.pulled[lane] ?? 0 >= last
        }
        guard isTurn else { return }
        pulls += 1
        session.intake.pulled[lane] = pulls
        let claimedHead = session.view[lane]?.head ?? 0
        sessions[id]?.pulling[lane] = PeerSession.Pull(
            claimedHead: claimedHead, pagesLeft: Limits.pullPages, progressAt: now)
        send(.pull(lane: lane, since: since, pages: Limits.pullPages), to: id)
    }

    /// If far behind, requests the newest rows and their blobs before the backlog. True while the backlog must wait.
    private func peekFirst(_ lanes: [LaneID], on id: SessionID) throws -> Bool {
        guard let session = sessions[id] else { return false }
        if !session.hasPeeked {
            sessions[id]?.hasPeeked = true
            for lane in lanes {
                let other = session.view[lane] ?? .empty(lane)
                guard other.head > (store.lane(lane)?.head ?? 0) + Limits.peekAbove else { continue }
                sessions[id]?.peeking.append(lane)
                send(.peek(lane: lane, count: Limits.peekRows), to: id)
            }
            if sessions[id]?.peeking.isEmpty == false { sessions[id]?.peekDeadline = now + Limits.peekPatience }
        }
        guard let deadline = sessions[id]?.peekDeadline else { return false }
        let isWaiting =
            sessions[id]?.peeking.isEmpty == false || sessions[id]?.asked[0].isEmpty == false
            || wants.hasUrgent
        if now < deadline, isWaiting { return true }
        sessions[id]?.peekDeadline = nil
        return false
    }

    /// Serves a pull: pages are made when the connection accepts them.
    func serve(pull lane: LaneID, since: UInt64, pages: UInt64, on id: SessionID) {
        guard let queued = sessions[id]?.servedPulls.count, queued < Limits.servedPulls,
            since <= SyncState.Limits.highestSeq
        else {
            drop(id, .violation("more questions than a zone has lanes"))
            return
        }
        sessions[id]?.servedPulls.append(
            PeerSession.ServedPull(
                lane: lane, since: since, cursor: nil, pagesLeft: min(max(pages, 1), Limits.pullPages)))
    }

    /// Sends one page of the first waiting pull. False if none waits.
    func servePage(on id: SessionID) throws -> Bool {
        guard var pull = sessions[id]?.servedPulls.first else { return false }
        var page = try store.page(
            of: pull.lane, since: pull.since, from: pull.cursor, rows: SyncState.Limits.pageRows,
            sizeBytes: Limits.payloadBytes - SyncState.Limits.recordSizeBytes)
        // The head fell since it was shown: rows rotted, or count no longer. The peer gets all that there is below it.
        if page.isDone { page.through = max(page.through, sessions[id]?.shownHeads[pull.lane] ?? 0) }
        send(
            .page(
                lane: pull.lane, through: page.through, target: page.target, isDone: page.isDone, rows: page.rows),
            to: id, .records)
        pull.pagesLeft -= 1
        pull.since = page.through
        pull.cursor = page.cursor
        if page.isDone || pull.pagesLeft == 0 {
            sessions[id]?.servedPulls.removeFirst()
        } else {
            sessions[id]?.servedPulls[0] = pull
        }
        return true
    }

    /// Whether the peer shows a head from which on there is no record: all of the lane was received, and only
    /// fingerprints can tell more, until a row comes that backs the head.
    func isUnbacked(_ entry: VectorEntry, of session: PeerSession) -> Bool {
        entry.head > 0 && session.unbacked[entry.lane] ?? 0 >= entry.head
            && store.lane(entry.lane)?.highest ?? 0 < entry.head
    }
}
