package import Ledger
package import NodeCore

/// A zone's control records in its database, and the state that follows from them.
///
/// Confined to the node's thread; what it takes becomes durable with the store's next commit.
package final class ZoneLedger {
    private let putRecord: Statement
    private let allRecords: Statement
    private let arrival: Statement
    private let date: Statement
    private let dropRecord: Statement
    /// Rows whose record rotted: it is not held, and comes again from a peer.
    private var rotten: [Int64] = []
    /// Whether some of the records were written by this device before it had the time.
    package private(set) var isUndated = false
    private let wall: () -> WallTime
    private let genesis: LedgerRecord
    package private(set) var state: LedgerState
    /// Changes with each record that is taken.
    package private(set) var revision: UInt64 = 0
    /// How often the records were read: more than once after a rollback.
    package private(set) var reloads: UInt64 = 0
    /// The records taken since the start, or stored again, in their order: what sessions have to pass on. Records
    /// undone by a rollback are no longer held, but stay in this list, because sessions count on from their place in
    /// it.
    package private(set) var arrivals: [RecordHash] = []
    /// The latest records that peers had and this ledger would not store: a later record may name them, and nobody
    /// sends them twice. Their signatures were not checked. Some may be taken: a rollback would undo that.
    private var refused: [LedgerRecord] = []
    private var knownHeld: (revision: UInt64, hashes: [RecordHash])?

    /// Opens the ledger of the zone that `genesis` began.
    ///
    /// - Parameter wall: the time by the shell's clock, which is noted with each record.
    /// - Throws: `DatabaseError`, `StoreError`.
    package init(
        database: Database, genesis: LedgerRecord, wall: @escaping () -> WallTime = { WallTime(milliseconds: 0) }
    ) throws {
        try database.migrate("ledger", Self.migrations)
        self.genesis = genesis
        self.wall = wall
        putRecord = try database.prepare("INSERT OR IGNORE INTO ledger(hash, record, at, sum) VALUES(?, ?, ?, ?)")
        arrival = try database.prepare("SELECT at FROM ledger WHERE hash = ?")
        date = try database.prepare("UPDATE ledger SET at = ? WHERE at <= 0")
        allRecords = try database.prepare("SELECT id, hash, record, at, sum FROM ledger ORDER BY id")
        dropRecord = try database.prepare("DELETE FROM ledger WHERE id = ?")
        state = LedgerState(try Self.empty(genesis))
        try reload()
    }

    private static var migrations: [Migration] {
        [
            Migration(
                "ledger",
                sql: "CREATE TABLE ledger(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, record BLOB NOT NULL)"),
            Migration("when records came", sql: "ALTER TABLE ledger ADD COLUMN at INTEGER"),
            Migration("sums of records", sql: "ALTER TABLE ledger ADD COLUMN sum BLOB"),
        ]
    }

    /// The checksum that tells whether a stored record rotted: its hash does not cover the signature.
    package static func sum(of encoded: [UInt8]) -> Bytes16 { Blake2b.hash16(encoded, domain: "kachat stored") }

    private static func empty(_ genesis: LedgerRecord) throws -> LedgerSet {
        guard let set = LedgerSet(genesis: genesis) else { throw StoreError.damaged("the ledger's genesis") }
        return set
    }

    /// Reads the records again: at the start, and after a rollback.
    package func reload() throws {
        var set = try Self.empty(genesis)
        (isUndated, rotten) = (false, [])
        try allRecords.forEach(visit: { row in
            // Its signatures were checked before it was stored; there is no sum of what an earlier version stored.
            let (encoded, sum) = (row.blob(2), row.blob(4))
            guard sum.isEmpty || sum == Self.sum(of: encoded).bytes,
                let record = try? LedgerRecord(encoded: encoded, verified: !sum.isEmpty),
                record.hash.bytes == row.blob(1)
            else { return rotten.append(row.int(0)) }
            set.insert(record)
            if row.int(3) <= 0 { isUndated = true }
        })
        state = LedgerState(set)
        revision &+= 1
        reloads &+= 1
    }

    // MARK: Comparing

    /// The records that are exchanged, ascending.
    private var held: [RecordHash] {
        if let knownHeld, knownHeld.revision == revision { return knownHeld.hashes }
        let hashes = state.held
        knownHeld = (revision, hashes)
        return hashes
    }

    /// The first 16 bytes of the hash of each record that is exchanged, ascending.
    package var names: [Bytes16] { held.map(\.ledgerName) }

    /// Equal on two nodes that exchange the same records.
    package var digest: Bytes16 {
        Blake2b.hash16(names.flatMap(\.bytes), domain: "kachat ledgers")
    }

    /// All records that are exchanged, each after those it needs where possible.
    package var records: [LedgerRecord] {
        let held = Set(held)
        return state.set.records.filter { held.contains($0.hash) }
    }

    /// The held records with these names, in that order.
    package func records(named names: Set<Bytes16>) -> [LedgerRecord] {
        records.filter { names.contains($0.hash.ledgerName) }
    }

    /// The Removes that are exchanged: what a person signed.
    package var removes: [LedgerRecord] { held.compactMap { state.set[$0] }.filter(\.isRemove) }

    /// The Removes among these records. Their signatures are not checked here.
    package func removes(among encoded: [[UInt8]]) -> [[UInt8]] {
        encoded.filter { (try? LedgerRecord(encoded: $0, verified: true))?.isRemove ?? false }
    }

    /// When a record arrived, by this node's clock; nil if it is not held, or the time is unknown.
    package func arrived(_ record: RecordHash) throws -> WallTime? {
        try arrival.first(record.bytes) { $0.int(0) > 0 ? WallTime(milliseconds: $0.int(0)) : nil }
    }

    /// Deletes the records that rotted, so that they can be stored again, and notes that as a repair.
    package func dropRotten(from store: ZoneStore) throws {
        guard !rotten.isEmpty else { return }
        try store.begin()
        for row in rotten {
            try dropRecord.run(row)
        }
        try store.addRepair("control records were damaged: \(rotten.count); peers bring them")
        rotten = []
    }

    /// Dates the records that this device wrote before it had the time: just now, at its start.
    package func dateFirst() throws {
        try date.run(wall().milliseconds)
        isUndated = false
    }

    // MARK: Taking

    /// The outcome of taking records from outside.
    package struct Taking: Sendable {
        /// Records that are new here.
        package var added: [RecordHash] = []
        /// Whether one of them was a record that nobody may write: malformed, badly signed, or of another zone. Neither
        /// it nor anything that came with it or after it was taken.
        package var isForged = false
    }

    /// Takes the records that the state has room for, and checks the signatures of these only: what a member writes
    /// beyond its bounds costs no more than reading it.
    package func take(_ encoded: [[UInt8]]) throws -> Taking {
        var candidates: [LedgerRecord] = []
        for bytes in encoded {
            guard let record = try? LedgerRecord(encoded: bytes, verified: true), record.home == state.set.zone else {
                return Taking(isForged: true)
            }
            if !state.set.contains(record.hash) { candidates.append(record) }
        }
        var taking = Taking()
        for start in stride(from: 0, to: candidates.count, by: Limits.ledgerBatch) where !taking.isForged {
            let batch = candidates[start...].prefix(Limits.ledgerBatch)
            let kept = kept(of: batch)
            guard kept.records.allSatisfy({ (try? $0.verify()) != nil }) else {
                taking.isForged = true
                continue
            }
            try add(kept)
            taking.added += kept.records.map(\.hash)
            if kept.records.count < batch.count { refuse(batch) }
        }
        if !taking.added.isEmpty { try takeRefused() }
        return taking
    }

    /// Takes a record that this device has just signed.
    package func take(own record: LedgerRecord) throws {
        try add(kept(of: [record]))
        try takeRefused()
    }

    /// Remembers those of a batch that were not stored.
    private func refuse(_ batch: ArraySlice<LedgerRecord>) {
        refused.removeAll { state.set.contains($0.hash) }
        let known = Set(refused.map(\.hash))
        refused += batch.filter { !state.set.contains($0.hash) && !known.contains($0.hash) }
        var sizeBytes = refused.reduce(0) { $0 + $1.encoded.count }
        while sizeBytes > Limits.refusedLedgerBytes { sizeBytes -= refused.removeFirst().encoded.count }
    }

    /// Takes the refused records that the ledger stores now that it has changed.
    private func takeRefused() throws {
        let waiting = refused.filter { !state.set.contains($0.hash) }
        guard !waiting.isEmpty else { return }
        let kept = kept(of: waiting[...])
        guard !kept.records.isEmpty else { return }
        guard kept.records.allSatisfy({ (try? $0.verify()) != nil }) else {
            refused.removeAll { (try? $0.verify()) == nil }
            return try takeRefused()
        }
        try add(kept)
    }

    /// The state if these records were held too.
    package func state(with records: some Sequence<LedgerRecord>) -> LedgerState {
        var set = state.set
        for record in records { set.insert(record) }
        return LedgerState(set)
    }

    /// Records to store.
    private struct Kept {
        let records: [LedgerRecord]
        /// The state with these records, and the hashes of what is stored then.
        let state: LedgerState
        let held: [RecordHash]
    }

    /// The candidates that would be stored if all were held.
    private func kept(of candidates: ArraySlice<LedgerRecord>) -> Kept {
        let all = state(with: candidates)
        let held = all.held
        let kept = candidates.filter { held.holds($0.hash) }
        // Usually all are kept, and the state needs no second look.
        if kept.count == candidates.count { return Kept(records: kept, state: all, held: held) }
        guard !kept.isEmpty else { return Kept(records: [], state: state, held: []) }
        let rest = state(with: kept)
        return Kept(records: kept, state: rest, held: rest.held)
    }

    private func add(_ kept: Kept) throws {
        guard !kept.records.isEmpty else { return }
        for record in kept.records {
            putRecord.bind(1, record.hash.bytes)
            let encoded = record.encoded
            putRecord.bind(2, encoded)
            putRecord.bind(3, wall().milliseconds)
            putRecord.bind(4, Self.sum(of: encoded).bytes)
            if wall().milliseconds <= 0 { isUndated = true }
            try putRecord.run()
        }
        let before = held
        state = kept.state
        revision &+= 1
        knownHeld = (revision, kept.held)
        let added = kept.records.map(\.hash)
        arrivals += added
        // A record that one of them names is stored again.
        let new = Set(added)
        var old = before[...]
        arrivals += kept.held.filter { hash in
            while let first = old.first, first < hash { old.removeFirst() }
            return old.first != hash && !new.contains(hash)
        }
    }
}

extension LedgerRecord {
    fileprivate var isRemove: Bool { if case .remove = act { true } else { false } }
}

extension RecordHash {
    /// The name by which ledgers are compared: 16 bytes are enough, since nobody gains by two records of one name.
    package var ledgerName: Bytes16 {
        let storage = storage
        return Bytes16(storage.w0, storage.w1)
    }
}
