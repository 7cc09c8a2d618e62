import NodeCore
import SyncState

/// The effect of each message. Bad content of a peer ends at most its session; an error of the store ends the turn.
extension ZoneSync {
    func handle(_ message: Message, on id: SessionID) throws {
        guard let phase = sessions[id]?.phase else { return }
        switch (phase, message) {
        case (.greeting, .hello(let hello)): try greet(hello, on: id)
        case (_, .bye(let reason)):
            if reason == .notMember { try partings.believe(on: id) }
            forget(id)
            actions.append(.close(id, .peerLeft(reason)))
        case (_, .busy(let milliseconds)):
            let most = UInt64(Limits.busyMaximum.components.seconds) * 1_000
            drop(id, .busy(until: now + .milliseconds(Int64(min(milliseconds, most)))))
        case (_, .foreignHello(let versions)): part(from: versions, on: id)
        case (.parting, _): try partings.handle(message, on: id)
        // Only the end that spoke first is asked, or told that it does not belong here.
        case (.greeting, .who), (.greeting, .dismiss):
            guard sessions[id]?.isInitiator == true else { return drop(id, .violation("a message out of turn")) }
            try handleDoor(message, on: id)
        case (.greeting, .vouch): try handleDoor(message, on: id)
        case (_, .who), (_, .vouch), (_, .dismiss): try handleDoor(message, on: id)
        case (.greeting, _): break  // `process` holds it back.
        case (.settling, .names(let isLast, let names)): ledgers.answer(names: names, isLast: isLast, on: id)
        case (.settling, .ledger(let isLast, let records)): try ledgers.settle(records, isLast: isLast, on: id)
        case (.live, .ledger(_, let records)): try ledgers.hear(records, on: id)
        case (.settling, _), (.live, .names): drop(id, .violation("a message out of turn"))
        case (.live, .hello): drop(id, .violation("a message out of turn"))
        case (.live, .vector(let scope, let entries)): take(vector: entries, scope, on: id)
        case (.live, .pull(let lane, let since, let pages)): serve(pull: lane, since: since, pages: pages, on: id)
        case (.live, .page(let lane, let through, _, let isDone, let rows)):
            try take(page: rows, of: lane, through: through, isDone: isDone, on: id)
        case (.live, .peek(let lane, let count)):
            take(.newest(lane, count: Int(min(count, Limits.peekRows))), on: id)
        case (.live, .rows(let rows)): try take(rows: rows, on: id)
        case (.live, .have(let since, let record, let blob)):
            try take(announced: record, blob, since: since, on: id)
        case (.live, .ranges(let lane, let ranges)): take(ranges: ranges, of: lane, on: id)
        case (.live, .keys(let lane, let low, let high, let keys)):
            take(keys: keys, of: lane, from: low, through: high, on: id)
        case (.live, .fetch(let lane, let keys)): take(fetch: keys, of: lane, on: id)
        case (.live, .want(let blobClass, let groups)): serve(wants: groups, blobClass, on: id)
        case (.live, .missing(let blobClass)): blobMissing(blobClass, on: id)
        case (.live, .blob(let blobClass, let bytes)): try take(blob: bytes, blobClass, on: id)
        case (.live, .blobPart(let blobClass, let total, let offset, let bytes)):
            try take(part: bytes, of: total, at: offset, blobClass, on: id)
        case (.live, .ping):
            if let owed = sessions[id]?.pongsOwed { sessions[id]?.pongsOwed = min(owed + 1, Limits.pongsPerTurn) }
        case (.live, .pong(let wall)): take(pong: wall, on: id)
        case (.live, .find(let txids)): try take(find: txids, on: id)
        case (.live, .found(let record, let blob)): try take(found: record, blob, on: id)
        }
    }

    // MARK: Vectors

    func sendVector(to id: SessionID) {
        guard sessions[id]?.hasSentVector == false else { return }
        sessions[id]?.hasSentVector = true
        let entries = ownEntries
        // An entry takes at most 80 bytes.
        let most = Limits.payloadBytes / 80
        var start = 0
        repeat {
            let end = min(start + most, entries.count)
            send(.vector(scope: end == entries.count ? .whole : .part, entries: Array(entries[start..<end])), to: id)
            start = end
        } while start < entries.count
        for entry in entries { sessions[id]?.tell(entry) }
        // HELLO spoke for lanes whose rows have all gone aside since, and the vector does not name these. Unsaid, they
        // would count as told, and the same rows would come back without a word.
        publish(sessions[id]?.told.keys.sorted() ?? [], to: [id])
    }

    private func take(vector entries: [VectorEntry], _ scope: VectorScope, on id: SessionID) {
        guard Set(entries.map(\.lane)).count == entries.count else {
            drop(id, .violation("a lane named twice"))
            return
        }
        // In place: a peer may send any number of entries, and copying all it ever sent costs far more.
        for entry in entries {
            guard entry.target <= SyncState.Limits.highestSeq else {
                drop(id, .violation("a seq beyond the highest"))
                return
            }
            guard entry.head <= entry.target else {
                drop(id, .violation("a head above its target"))
                return
            }
            sessions[id]?.view[entry.lane] = entry
            sessions[id]?.stale.remove(entry.lane)
        }
        guard sessions[id]?.view.count ?? 0 <= SyncState.Limits.lanes else {
            drop(id, .violation("more lanes than a zone can have"))
            return
        }
        if scope != .update { sessions[id]?.hasView = scope == .whole }
        wants.wake(now: now)
        needsLook = true
        if scope == .whole { sendVector(to: id) }
    }

    // MARK: Records

    private func take(
        page rows: [[UInt8]], of lane: LaneID, through: UInt64, isDone: Bool, on id: SessionID
    ) throws {
        guard var pull = sessions[id]?.pulling[lane] else {
            drop(id, .violation("a page that was not asked for"))
            return
        }
        guard isDone || !rows.isEmpty else {
            drop(id, .violation("a page without rows, and more to come"))
            return
        }
        let head = store.lane(lane)?.head ?? 0
        let newRows = sessions[id]?.intake.newRows
        store.signatures.expect(rows)
        for row in rows where try put(row, on: id, lane: lane) == .ended { return }
        // A page continues the previous one, so that its `through` claims nothing that is not here.
        if through >= head { try store.advance(lane, head: through) }
        pull.pagesLeft -= 1
        // Rows that are here already are no reason to wait for more.
        if sessions[id]?.intake.newRows != newRows { (pull.progressAt, pull.isOverdue) = (now, false) }
        sessions[id]?.pulling[lane] = isDone || pull.pagesLeft == 0 ? nil : pull
        if isDone, through < pull.claimedHead {
            // Otherwise it would be asked for missing rows for ever.
            drop(id, .violation("a head without the rows below it"))
        } else if isDone, store.lane(lane)?.head ?? 0 < pull.claimedHead {
            sessions[id]?.unbacked[lane] = pull.claimedHead
            var promise = sessions[id]?.intake.promises[lane] ?? PeerSession.Promise()
            promise.broken += 1
            promise.restsUntil = now + min(Limits.promisePause * promise.broken, Limits.promisePauseMost)
            sessions[id]?.intake.promises[lane] = promise
        }
        needsLook = true
    }

    private func take(rows: [[UInt8]], on id: SessionID) throws {
        if sessions[id]?.peeking.isEmpty == false { sessions[id]?.peeking.removeFirst() }
        store.signatures.expect(rows)
        for row in rows where try put(row, on: id, lane: nil) == .ended { return }
        sessions[id]?.healing.saidAt = now
        needsLook = true
    }

    private func take(announced row: [UInt8], _ blob: ArraySlice<UInt8>, since: UInt64, on id: SessionID) throws {
        guard let record = try? Record(encoded: row), record.lane == sessions[id]?.peer else {
            drop(id, .violation("an announcement without a record of the peer's"))
            return
        }
        let outcome = try put(row, on: id, lane: nil)
        guard outcome != .ended else { return }
        let (lane, seq) = (record.lane, record.seq)
        var entry = sessions[id]?.view[lane] ?? .empty(lane)
        // Also of a record that is refused. A later entry may have overtaken it.
        if seq > entry.head {
            entry.head = seq
            entry.target = max(entry.target, seq)
            sessions[id]?.view[lane] = entry
            sessions[id]?.stale.insert(lane)
        }
        needsLook = true
        guard outcome == .taken else { return }
        if let own = store.lane(lane), own.head >= since { try store.advance(lane, head: seq) }
        try take(blob: blob, with: record, on: id)
    }

    enum RowOutcome {
        case taken
        case refused
        /// It was one rejection too many: the session is over.
        case ended
    }

    /// Stores a row. The good rows of a message stay even if others are bad.
    func put(_ row: [UInt8], on id: SessionID, lane: LaneID?) throws -> RowOutcome {
        do {
            let record = try Record(encoded: row)
            guard lane == nil || record.lane == lane else { throw RecordError.malformed }
            let outcome = try store.put(record)
            counters.recordsTaken += 1
            if case .added = outcome {
                sessions[id]?.intake.newRows += 1
                finds.peersHaveNews(now: now)
            }
            if try locate(record) { return .taken }
            if case .added(let place) = outcome, record.blob != nil, lane == nil || wants.leavesOut {
                let priority = store.priority(of: record)
                wants.add(WantedBlob(row: place, record: record, priority: priority), isUrgent: lane == nil)
            }
            return .taken
        } catch let rejection as RecordRejection where rejection.isNobodysFault {
            // Not the peer's fault: it holds the records that reached it first, or knows more.
            counters.rejections[rejection, default: 0] += 1
            if let lane = try? Record(encoded: row).lane {
                sessions[id]?.barred[lane] = rejection == .notYet || sessions[id]?.barred[lane] == true
            }
            // But no device holds that many.
            guard sessions[id]?.barred.count ?? 0 <= SyncState.Limits.lanes else {
                drop(id, .violation("more lanes than a zone can have"))
                return .ended
            }
            return .refused
        } catch let rejection as RecordRejection {
            return reject(rejection, on: id) ? .refused : .ended
        } catch is RecordError {
            return reject(.malformedMeta, on: id) ? .refused : .ended
        }
    }

    private func reject(_ rejection: RecordRejection, on id: SessionID) -> Bool {
        counters.recordsRejected += 1
        counters.rejections[rejection, default: 0] += 1
        sessions[id]?.intake.rejections += 1
        if sessions[id]?.intake.rejections == 1 {
            actions.append(.note(.rejected(peer: sessions[id]?.peer, rejection)))
        }
        guard sessions[id]?.intake.rejections ?? 0 <= Limits.rejectionsPerSession else {
            drop(id, .violation("records that cannot be taken"))
            return false
        }
        return true
    }

    /// Sends rows in messages that fit; they move no head.
    func sendRows(_ rows: [[UInt8]], to id: SessionID, evenEmpty: Bool = false) {
        var part: [[UInt8]] = []
        var sizeBytes = 0
        var hasSent = false
        for row in rows {
            if sizeBytes + row.count > Limits.payloadBytes {
                send(.rows(part), to: id, .records)
                (part, sizeBytes, hasSent) = ([], 0, true)
            }
            part.append(row)
            sizeBytes += row.count
        }
        if !part.isEmpty || (evenEmpty && !hasSent) { send(.rows(part), to: id, .records) }
    }
}
