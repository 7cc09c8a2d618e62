import NodeCore

/// The chunks of each lane, brought up to date with each commit.
///
/// A chunk whose rows changed is hashed again. The hashes of its rows stay in memory for a while, since new rows come
/// one after another; the rows of any other chunk are read first.
struct ChunkIndex {
    private struct Key: Hashable, Comparable {
        let lane: Int
        let number: UInt64

        static func < (one: Key, other: Key) -> Bool { (one.lane, one.number) < (other.lane, other.number) }
    }

    /// The changes of a chunk since the last commit.
    private struct Change {
        var added: Set<RowKey> = []
        var removed: Set<RowKey> = []
        /// Whether the chunk's rows differed from what was noted.
        var isDistrusted = false

        /// The rows as of the last commit.
        func undone(in rows: [RowKey]) -> [RowKey] { (rows.filter { !added.contains($0) } + removed).sorted() }
    }

    /// A chunk with the keys of its rows.
    private struct Open {
        var rows: [RowKey]
        /// The number of the latest commit that changed it.
        var commit: UInt64

        mutating func add(_ row: RowKey, _ commit: UInt64) {
            self.commit = commit
            let place = place(of: row)
            rows.insert(row, at: place)
        }

        mutating func remove(_ row: RowKey, _ commit: UInt64) {
            self.commit = commit
            let place = place(of: row)
            if place < rows.count, rows[place] == row { rows.remove(at: place) }
        }

        /// The place of the first row that does not precede this one.
        private func place(of row: RowKey) -> Int {
            guard let last = rows.last, row <= last else { return rows.count }
            return rows.partitioningIndex { $0 >= row }
        }
    }

    private let ofLane, put, delete, deleteAll: Statement
    /// The chunks as of the last commit, ascending, of those lanes that were needed since the start.
    private var known: [Int: [Chunk]] = [:]
    private var changes: [Key: Change] = [:]
    private var open: [Key: Open] = [:]
    private var commits: UInt64 = 0

    init(database: Database) throws {
        ofLane = try database.prepare("SELECT chunk, rows, digest FROM chunk WHERE lane = ? ORDER BY chunk")
        put = try database.prepare("INSERT OR REPLACE INTO chunk(lane, chunk, rows, digest) VALUES(?, ?, ?, ?)")
        delete = try database.prepare("DELETE FROM chunk WHERE lane = ? AND chunk = ?")
        deleteAll = try database.prepare("DELETE FROM chunk WHERE lane = ?")
    }

    /// The chunks of a lane as of the last commit, ascending.
    mutating func chunks(of lane: Int) throws -> [Chunk] {
        if let chunks = known[lane] { return chunks }
        let chunks = try ofLane.all(lane) { row in
            guard let digest = Bytes32(bytes: row.blob(2)) else { throw StoreError.damaged("a chunk's digest") }
            return Chunk(number: try row.count(0), rows: Int(try row.count(1)), digest: digest)
        }
        known[lane] = chunks
        return chunks
    }

    /// Adds a row that is now held.
    mutating func add(_ row: RowKey, lane: Int) throws {
        let key = Key(lane: lane, number: row.chunk)
        if changes[key] == nil, open[key] == nil, try chunks(of: lane)[...].at(key.number) == nil {
            open[key] = Open(rows: [], commit: commits)
        }
        if changes[key]?.removed.remove(row) == nil { changes[key, default: Change()].added.insert(row) }
        open[key]?.add(row, commits)
        if let count = open[key]?.rows.count, count > Limits.openChunkRows { open[key] = nil }
    }

    /// Removes a row that is no longer held.
    mutating func remove(_ row: RowKey, lane: Int) {
        let key = Key(lane: lane, number: row.chunk)
        if changes[key]?.added.remove(row) == nil { changes[key, default: Change()].removed.insert(row) }
        open[key]?.remove(row, commits)
    }

    /// Notes that the rows of a lane may differ from what was noted: the next commit makes all its chunks from the
    /// rows.
    ///
    /// - Parameter found: the numbers of the chunks that have rows.
    mutating func distrust(lane: Int, found: some Sequence<UInt64>) throws {
        for number in Set(found).union(try chunks(of: lane).map(\.number)) {
            let key = Key(lane: lane, number: number)
            changes[key] = Change(isDistrusted: true)
            open[key] = nil
        }
        // The names of chunks may have rotted, too.
        try deleteAll.run(lane)
        known[lane] = []
    }

    /// Hashes and stores the chunks that changed, as part of each commit.
    ///
    /// - Parameter read: reads the keys of the rows of a lane's chunk, ascending.
    /// - Returns: the lanes that changed, and whether rows were read that nothing here had changed: these have rotted.
    mutating func settle(
        _ read: (_ lane: Int, _ number: UInt64) throws -> [RowKey]
    ) throws -> [(lane: Int, fingerprint: Fingerprint, isDamaged: Bool)] {
        guard !changes.isEmpty else { return [] }
        var settled: [(lane: Int, fingerprint: Fingerprint, isDamaged: Bool)] = []
        for (lane, keys) in Dictionary(grouping: changes.keys, by: \.lane).sorted(by: { $0.key < $1.key }) {
            let old = try chunks(of: lane)
            var renewed: [(number: UInt64, chunk: Chunk?)] = []
            var isDamaged = false
            for key in keys.sorted() {
                let before = old[...].at(key.number)
                let rows = try self.rows(of: key, as: before, &isDamaged, read)
                let chunk = Chunk(rows[...])
                if chunk != before { try store(chunk, key) }
                renewed.append((key.number, chunk))
            }
            let chunks = Self.merged(old, renewed)
            known[lane] = chunks
            settled.append((lane, Fingerprint(of: chunks[...]), isDamaged))
        }
        changes = [:]
        commits += 1
        closeOldest()
        return settled
    }

    private mutating func rows(
        of key: Key, as before: Chunk?, _ isDamaged: inout Bool, _ read: (Int, UInt64) throws -> [RowKey]
    ) throws -> [RowKey] {
        if let rows = open[key]?.rows { return rows }
        let rows = try read(key.lane, key.number)
        if let change = changes[key], !change.isDistrusted, Chunk(change.undone(in: rows)[...]) != before {
            isDamaged = true
        }
        // A commit may change any number of chunks, but only few of them stay in memory.
        if rows.count <= Limits.openChunkRows, open.count < 2 * Limits.openChunks {
            open[key] = Open(rows: rows, commit: commits)
        }
        return rows
    }

    private func store(_ chunk: Chunk?, _ key: Key) throws {
        let statement = chunk == nil ? delete : put
        statement.bind(1, Int64(key.lane))
        statement.bind(2, Int64(key.number))
        if let chunk {
            statement.bind(3, Int64(chunk.rows))
            statement.bind(4, chunk.digest.bytes)
        }
        try statement.run()
    }

    private static func merged(_ old: [Chunk], _ renewed: [(number: UInt64, chunk: Chunk?)]) -> [Chunk] {
        var merged: [Chunk] = []
        merged.reserveCapacity(old.count + renewed.count)
        var rest = old[...]
        for (number, chunk) in renewed {
            let place = rest.place(of: number)
            merged += rest[..<place]
            rest = rest[place...]
            if rest.first?.number == number { rest = rest.dropFirst() }
            if let chunk { merged.append(chunk) }
        }
        return merged + rest
    }

    private mutating func closeOldest() {
        guard open.count > Limits.openChunks else { return }
        let oldest = open.sorted { ($0.value.commit, $0.key) < ($1.value.commit, $1.key) }
        for (key, _) in oldest.dropLast(Limits.openChunks) { open[key] = nil }
    }

    /// Forgets everything in memory, after a rollback.
    mutating func forget() {
        known = [:]
        changes = [:]
        open = [:]
    }
}

extension ArraySlice<Chunk> {
    /// The place of the first of the ascending chunks that does not precede a number.
    func place(of number: UInt64) -> Int {
        guard let last, number <= last.number else { return endIndex }
        return partitioningIndex { $0.number >= number }
    }

    func at(_ number: UInt64) -> Chunk? {
        let place = place(of: number)
        return place < endIndex && self[place].number == number ? self[place] : nil
    }
}
