package import NodeCore
import SyncState

/// The end of a turn: one commit, then all messages that depend on it.
extension ZoneSync {
    /// Commits the turn's changes and announces them. Throws errors of the store; nothing was sent then.
    package func endTurn(now: MonotonicTime) throws {
        self.now = now
        // An operation failed: what peers said in the turn went with it, and no live peer says a control record twice.
        if let heardAfter, heardAfter != zone.ledger.reloads { abandon() }
        heardAfter = nil
        try ledgers.takeHeard()
        try zone.commit()
        let lapsed = dismissEnded()
        ledgers.passOn()
        for id in lapsed { drop(id, .notMember) }
        let takings = zone.zoneAccess.takings
        if takings != seenTakings {
            seenTakings = takings
            for id in sessionIDs where sessions[id]?.barred.isEmpty == false {
                sessions[id]?.admitRefused()
                needsLook = true
            }
        }
        let starts = store.takeFreshStarts()
        let written = store.takeWritten()
        if !starts.isEmpty {
            freshStarts += starts
            for start in starts { actions.append(.note(.startedAfresh(start))) }
            // The sessions are bound to the old key: the peers are met again under the new one.
            for id in sessionIDs { drop(id, .startedAfresh) }
        }
        if !written.isEmpty { noteLocalWrite() }
        try announce(written)
        publish(store.takeChangedLanes(), to: sessionIDs)
        if needsLook {
            needsLook = false
            for id in sessionIDs { try look(at: id) }
        }
        try askFinds()
        try ask()
        for id in sessionIDs {
            for _ in 0..<(sessions[id]?.pongsOwed ?? 0) { send(.pong(wallMilliseconds: toldWall), to: id) }
            sessions[id]?.pongsOwed = 0
        }
        if store.hasUncommitted { try zone.commit() }
    }

    /// Sends our new records to all peers at once; if there are many, only the vector is sent.
    private func announce(_ written: [(since: UInt64, record: Record)]) throws {
        guard !written.isEmpty, written.count <= Limits.announcedRecords else { return }
        needsLook = true
        let listeners = sessionIDs.filter { sessions[$0]?.peer != nil && sessions[$0]?.hasView == true }
        guard !listeners.isEmpty else { return }
        let news = try written.filter { $0.record.lane == zone.lane }.map { since, record in
            Message.have(
                since: since, record: record.encoded,
                blob: try blob(of: record, upTo: Limits.announcedBlobBytes) ?? [])
        }
        for id in listeners {
            for message in news { send(message, to: id, .records) }
            if let own = store.lane(zone.lane) { sessions[id]?.tell(VectorEntry(own)) }
        }
    }

    /// A held blob that is short enough to travel with its record.
    func blob(of record: Record, upTo sizeBytes: Int) throws -> ArraySlice<UInt8>? {
        guard let blob = record.blob, blob.sizeBytes <= sizeBytes else { return nil }
        return try store.blob(of: record.lane, seq: record.seq, hashPrefix: blob.hash.shortPrefix)?[...]
    }

    /// Sends entries that changed since these peers were last told: they show what a peer lacks, and that what it sent
    /// is durable here.
    func publish(_ changed: [LaneID], to ids: [SessionID]) {
        guard !changed.isEmpty else { return }
        needsLook = true
        for id in ids {
            guard let session = sessions[id], session.peer != nil, session.hasView || session.hasSentVector else {
                continue
            }
            var entries: [VectorEntry] = []
            for lane in changed {
                guard let state = store.lane(lane) else { continue }
                let entry = VectorEntry(state)
                if session.told[lane] != entry {
                    entries.append(entry)
                    sessions[id]?.tell(entry)
                }
            }
            for start in stride(from: 0, to: entries.count, by: Limits.payloadBytes / 80) {
                let part = entries[start..<min(start + Limits.payloadBytes / 80, entries.count)]
                send(.vector(scope: .update, entries: Array(part)), to: id)
            }
        }
    }

    /// Produces data for a waiting peer, until about `budgetBytes` are queued or an equivalent amount of work is done:
    /// answers first, then the newest blobs, pages, and the older blobs.
    ///
    /// - Parameter rows: the allowed work, in rows read; the next call continues unfinished answers.
    /// - Returns: the work that was done.
    @discardableResult
    package func produce(on id: SessionID, budgetBytes: Int, rows: UInt64 = .max) throws -> UInt64 {
        let (sent, before) = (counters.bytesSent, servedRows)
        let budget = UInt64(max(budgetBytes, 1))
        var steps: UInt64 = 0
        var work: UInt64 { servedRows - before + steps * Limits.servedStepRows }
        while sessions[id]?.isServing == true {
            guard work < rows, counters.bytesSent - sent + work * Limits.scannedRowBytes < budget else { break }
            let left = rows - work
            steps += 1
            if try answerQuestion(on: id, rows: left) { continue }
            if try serveBlob(.recent, on: id) { continue }
            if try servePage(on: id) { continue }
            if try !serveBlob(.backfill, on: id) { break }
        }
        if store.hasUncommitted { try zone.commit() }
        return work
    }

    /// Rows read for peers, including other work converted to rows.
    private var servedRows: UInt64 { store.scannedRows + servedFinds * Limits.findRows }

    /// Number of sessions with data to produce.
    package var servingCount: Int { sessions.values.count(where: \.isServing) }

    /// Whether a session has data to produce.
    package func isServing(_ id: SessionID) -> Bool { sessions[id]?.isServing == true }

    /// Whether the peer owes an answer.
    package func isExpecting(_ id: SessionID) -> Bool { sessions[id]?.isExpecting == true }

    /// Handles the passing of time: silence, patience, and repeated requests.
    package func tick(now: MonotonicTime) {
        self.now = now
        for id in sessionIDs {
            guard let session = sessions[id] else { continue }
            let silence = now - session.lastHeard
            if silence >= Limits.silenceBound || session.isSlowToGreet(now: now) {
                drop(id, session.parting.isTold ? .notMember : .silent)
                continue
            }
            if silence >= Limits.pingAfter, !session.isPinged {
                sessions[id]?.isPinged = true
                ping(id)
            }
            if let deadline = session.peekDeadline, deadline <= now { needsLook = true }
            if let due = session.healing.againAt, due <= now {
                session.healing.againAt = nil
                needsLook = true
            }
            noteOverdue(id)
        }
        if canAsk, let wake = wants.nextWake, wake <= now { needsLook = true }
        if let due = finds.deadline(canScan: store.wantedCount > 0), due <= now { hasFindsDue = true }
    }

    /// Whether a turn is needed although nothing came in.
    var isDue: Bool { needsLook || hasFindsDue }

    /// Requests data that a peer fails to deliver from the others too.
    private func noteOverdue(_ id: SessionID) {
        for (lane, pull) in sessions[id]?.pulling ?? [:]
        where !pull.isOverdue && now - pull.progressAt >= Limits.pullPatience {
            sessions[id]?.pulling[lane]?.isOverdue = true
            needsLook = true
        }
        for (lane, promise) in sessions[id]?.intake.promises ?? [:]
        where promise.restsUntil.map({ $0 <= now }) ?? false {
            sessions[id]?.intake.promises[lane]?.restsUntil = nil
            needsLook = true
        }
        guard let due = sessions[id]?.blobsDue, due <= now else { return }
        for queue in sessions[id]?.asked ?? [] { wants.giveBack(queue) }
        sessions[id]?.blobsDue = nil
        sessions[id]?.isOverdue = true
        needsLook = true
    }

    /// When `tick` is due next.
    package var deadline: MonotonicTime? {
        var times = sessions.values.flatMap(\.deadlines)
        if canAsk, let wake = wants.nextWake { times.append(wake) }
        if let due = finds.deadline(canScan: store.wantedCount > 0) { times.append(due) }
        return times.min()
    }

    /// Compared, and no blob is missing.
    package var isCaughtUp: Bool { isCompared && store.wantedCount == 0 }

    /// At least one peer was compared since the start, each connected one has the rows that this node has, and nothing
    /// is queued.
    package var isCompared: Bool {
        hasCompared && !zone.hasQueued && sessions.values.allSatisfy { $0.peer == nil || isEqual(to: $0) }
    }

    private func isEqual(to session: PeerSession) -> Bool {
        guard session.hasView else { return false }
        if let known = session.equality.known, known.revision == store.revision { return known.isEqual }
        let own = ownEntries
        let refused = Set(session.barred.filter { !$0.value }.keys)
        let hasOurs = own.allSatisfy { entry in
            let other = session.view[entry.lane] ?? .empty(entry.lane)
            guard other.head == entry.head || isUnbacked(other, of: session) else { return false }
            if other.fingerprint == entry.fingerprint || refused.contains(entry.lane) { return true }
            // An announced row that waits is not here, and no entry of the vector follows it.
            return session.stale.contains(entry.lane) && session.barred[entry.lane] == nil
        }
        let held = refused.union(own.map(\.lane))
        let isEqual =
            hasOurs && session.view.values.allSatisfy { held.contains($0.lane) || ($0.head == 0 && $0.target == 0) }
        session.equality.known = (store.revision, isEqual)
        return isEqual
    }

    /// The live peers, and whether each is equal to this node.
    package var peers: [(session: SessionID, lane: LaneID, isEqual: Bool)] {
        sessionIDs.compactMap { id in
            guard let session = sessions[id], let peer = session.peer else { return nil }
            return (id, peer, isEqual(to: session))
        }
    }
}
