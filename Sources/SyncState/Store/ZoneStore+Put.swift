import NodeCore

/// Storing records: a union of immutables, and a maximum (seq, hash) per slot and lane.
extension ZoneStore {
    package enum PutOutcome: Sendable {
        /// The row is now held.
        case added(RowID)
        /// The row was already held.
        case known
        /// A later record of its slot is held.
        case superseded
    }

    /// Stores one record. Throws `RecordRejection` if the record is at fault, `DatabaseError` if the store is.
    @discardableResult
    package func put(_ record: Record) throws -> PutOutcome {
        let others = try rows(beside: record)
        if others.contains(where: { $0.encoded == record.encoded }) { return .known }
        switch try content.rules.verdict(on: record) {
        case .counts: break
        case .waits: throw RecordRejection.notYet
        case .removed: throw RecordRejection.removed
        }
        return try put(record, opened: try signatures.open(record), beside: others, from: .peer(nil), at: wall)
    }

    /// - Parameter at: when it came here; nil for now.
    @discardableResult
    func put(
        _ record: Record, opened: any RecordContent, from origin: RecordOrigin, at: WallTime? = nil
    ) throws -> PutOutcome {
        try put(record, opened: opened, beside: try rows(beside: record), from: origin, at: at ?? wall)
    }

    /// - Parameter others: the rows held at the record's seq.
    private func put(
        _ record: Record, opened: any RecordContent, beside others: [(id: RowID, encoded: [UInt8])],
        from origin: RecordOrigin, at: WallTime
    ) throws -> PutOutcome {
        try begin()
        let number = try laneNumber(of: record.lane)
        guard !others.contains(where: { $0.encoded == record.encoded }) else { return .known }
        if record.seq > lanes[number].target { lanes[number].target = record.seq }
        if record.lane == device.lane, record.seq > lanes[number].reached { mustSettle = true }
        touch(number)
        let readable = others.compactMap { row in
            (try? Record(encoded: row.encoded)).map { (id: row.id, hash: $0.hash) }
        }
        // A rotten row does not make a fork.
        if !readable.isEmpty {
            lanes[number].isForked = true
            mustSettle = mustSettle || record.lane == device.lane
        }
        let held = record.kind.isSuperseded ? try held(in: record.slot, lane: number) : nil
        if let held, held.record.isNewer(than: record) { return .superseded }
        let taken = Set(others.map(\.id)).subtracting([held?.row].compactMap(\.self))
        guard let fork = try fork(for: record, taken, readable.filter { $0.id != held?.row }) else {
            return .superseded
        }
        if let held { try remove(row: held.row, as: .superseded(by: record)) }
        let id = RowID(lane: number, seq: record.seq, fork: fork)
        try insert(record, id: id, priority: opened.priority, at: at)
        lanes[number].rows += 1
        try chunks.add(RowKey(seq: record.seq, hash: record.hash), lane: number)
        lanes[number].highest = max(lanes[number].highest, record.seq)
        recordCount += 1
        if record.kind.isSuperseded {
            try slots.set(lane: number, slot: record.slot, row: id, isBelowMark: record.seq <= lanes[number].slotted)
        }
        try content.added(opened, of: record, from: origin)
        if record.blob != nil, !orphans.isEmpty { try takeOrphan(id, of: record) }
        return .added(id)
    }

    /// A free index for a record among those at its seq. If there is none, the record with the highest hash has to go,
    /// whichever came first: else two devices would keep what each got first. Nil if that is the new one.
    private func fork(
        for record: Record, _ taken: Set<RowID>, _ readable: [(id: RowID, hash: RecordHash)]
    ) throws -> Int? {
        let forks = Set(taken.map(\.fork))
        if let free = (0..<Limits.forksPerSeq).first(where: { !forks.contains($0) }) { return free }
        guard let last = readable.max(by: { $0.hash < $1.hash }), record.hash < last.hash else { return nil }
        try remove(row: last.id, as: .withdrawn(waits: false))
        return last.id.fork
    }

    /// All rows at a record's seq, unreadable ones included.
    private func rows(beside record: Record) throws -> [(id: RowID, encoded: [UInt8])] {
        guard let number = numbers[record.lane], record.seq <= lanes[number].highest else { return [] }
        var found: [(id: RowID, encoded: [UInt8])] = []
        try forEachRow(lane: number, from: record.seq, through: record.seq) { found.append(($0, $1)) }
        return found
    }

    private func insert(_ record: Record, id: RowID, priority: Int64, at: WallTime) throws {
        let statement = statements.insertRecord
        statement.bind(1, id.value)
        statement.bind(2, Int64(record.kind.rawValue))
        if record.blob != nil { statement.bind(3, priority) } else { statement.bindNull(3) }
        statement.bind(5, at.milliseconds)
        try record.encoded.withUnsafeBytes { encoded in
            statement.bind(4, borrowing: encoded)
            try statement.run()
        }
        if record.blob != nil { wantedCount += 1 }
    }

    /// Visits all readable records, lane by lane and ascending. `body` must not use the store.
    package func forEachRecord(_ body: (Record) throws -> Void) throws {
        for number in lanes.indices {
            try forEachRow(lane: number, from: 0, through: Limits.highestSeq) { _, encoded in
                if let record = try? Record(encoded: encoded) { try body(record) }
            }
        }
    }

    /// Visits up to `limit` records, the readable ones, in the order of `forEachRecord`. `body` must not use the store.
    ///
    /// - Parameter row: the last one before them; zero, which no row has, at the beginning.
    /// - Returns: the last one; nil if no more follow.
    package func forEachRecord(after row: RowID, limit: UInt64, _ body: (Record) throws -> Void) throws -> RowID? {
        guard row.value < .max else { return nil }
        let query = statements.recordsBetween
        query.bind(1, row.value + 1)
        query.bind(2, Int64.max)
        defer { query.reset() }
        var last = row
        for _ in 0..<limit {
            guard try query.step() else { return nil }
            scannedRows += 1
            last = try RowID(query, after: last)
            if let record = try? Record(encoded: query.blob(1)) { try body(record) }
        }
        return last
    }

    package func row(of record: Record, lane number: Int) throws -> RowID? {
        try rows(lane: number, from: record.seq, through: record.seq).first { $0.record.encoded == record.encoded }?.id
    }

    /// Readable rows of a lane, ascending. Only for short ranges: all are held in memory at once. Rotten rows are
    /// skipped; the scrub removes them.
    package func rows(lane number: Int, from low: UInt64, through high: UInt64) throws -> [(id: RowID, record: Record)]
    {
        var found: [(id: RowID, record: Record)] = []
        try forEachRow(lane: number, from: low, through: high) { id, encoded in
            if let record = try? Record(encoded: encoded) { found.append((id, record)) }
        }
        return found
    }

    package func forEachRow(
        lane number: Int, from low: UInt64, through high: UInt64, _ body: (RowID, [UInt8]) throws -> Void
    ) throws {
        let bounds = RowID.bounds(lane: number, from: low, through: high)
        var last = RowID(value: bounds.low - 1)
        try statements.recordsBetween.forEach(bounds.low, bounds.high) { row in
            scannedRows += 1
            last = try RowID(row, after: last)
            try body(last, row.blob(1))
        }
    }

    func record(at row: RowID) throws -> Record? {
        try statements.record.first(row.value) { try? Record(encoded: $0.blob(0)) }
    }

    /// Why a row is no longer held.
    package enum Removal {
        /// It rotted.
        case lost
        /// It stays aside for a while, with its blob, and so do withdrawn rows.
        case superseded(by: Record)
        /// It does not count any more.
        case withdrawn(waits: Bool)
    }

    /// Removes a row and its blob, also from the totals.
    package func remove(row id: RowID, as removal: Removal = .lost) throws {
        guard let record = try record(at: id) else { return }
        let number = id.lane
        let (arrival, milliseconds) =
            try statements.blobOfRecord.first(id.value) { ($0.optionalInt(0), $0.int(1)) } ?? (nil, 0)
        let at = WallTime(milliseconds: milliseconds)
        var keeping: SupersededRows.Keeping?
        switch removal {
        case .lost: break
        case .superseded(let newer):
            // This row's content is shown until the blob of the row that replaces it is here.
            keeping = arrival != nil && newer.kind == .segment && newer.blob != nil ? .shown : .forAWhile
        case .withdrawn(let waits): keeping = waits ? .waiting : .forAWhile
        }
        if keeping == .shown {
            try content.blobSetAside(of: record)
        } else if let arrival {
            try content.blobRemoved(arrival: arrival, of: record)
        } else if record.blob != nil {
            wantedCount -= 1
        }
        if let keeping {
            try aside.add(record, row: id, at: at, blob: arrival, keeping, since: runningTime)
        } else if let arrival {
            try statements.deleteBlob.run(arrival)
        }
        try statements.deleteRecord.run(id.value)
        if record.kind.isSuperseded { try slots.clear(lane: number, slot: record.slot, row: id) }
        lanes[number].rows -= 1
        chunks.remove(RowKey(seq: record.seq, hash: record.hash), lane: number)
        recordCount -= 1
        if id.seq == lanes[number].highest { lanes[number].highest = try highestSeq(lane: number) }
        touch(number)
        if case .withdrawn = removal { try content.withdrawn(record) } else { try content.removed(record) }
    }
}
