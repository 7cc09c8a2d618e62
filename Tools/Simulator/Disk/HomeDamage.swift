import SyncState

/// The damage of a home since somebody looked for it.
struct HomeDamage: Hashable {
    /// A part in which a bit can flip.
    enum Part: String, CaseIterable {
        case row, blob, index, queue
        /// Any byte of the database's file.
        case page
    }

    /// The rows of each, with the bytes that lie there.
    private var rows: [Part: [Int64: [UInt8]]] = [:]
    /// Those that somebody has mended, with the bytes that lay there.
    private var mended: [Part: [Int64: [UInt8]]] = [:]
    /// A leaf that was mended may be back, with other entries in it.
    private var mayHaveBadLeaf = false
    /// The log was lost, so the file may be between two commits: rows are not those that were hashed, tables lack their
    /// places, and blobs are not there.
    private var mayBeBetween = false
    /// The number of rows that then are not as they were with the log: a page may be there in part.
    private var torn = 0
    /// Somebody is to look for it.
    private(set) var isFresh = false

    fileprivate mutating func add(_ part: Part, row: Int64, _ bytes: [UInt8]) {
        rows[part, default: [:]][row] = bytes
        isFresh = true
    }

    /// Somebody has looked: what can be mended is. Queued messages stay unreadable.
    mutating func forget() {
        for (part, found) in rows where part != .queue { mended[part, default: [:]].merge(found) { $1 } }
        rows = rows.filter { $0.key == .queue }
        (isFresh, mayHaveBadLeaf, mayBeBetween, torn) = (false, false, false, 0)
    }

    /// Without what was replaced or deleted before anybody looked.
    func remaining(in database: Database) throws -> HomeDamage {
        var remaining = self
        for (part, found) in rows {
            guard let statements = part.statements else { continue }
            let read = try database.prepare(statements.read)
            remaining.rows[part] = try found.filter { row, bytes in
                read.bind(1, row)
                defer { read.reset() }
                // A leaf stays damaged when other entries of it change.
                return try read.step() && (part == .index ? isDamaged(leaf: row, in: database) : read.blob(0) == bytes)
            }
        }
        // A blob whose row is damaged, too, is checked once the row is back.
        if let blobs = remaining.rows[.blob], let damaged = remaining.rows[.row] {
            let row = try database.prepare("SELECT record FROM blob WHERE id = ?")
            remaining.rows[.blob] = try blobs.filter { blob, _ in
                try row.first(blob) { damaged[$0.int(0)] == nil } ?? true
            }
        }
        return remaining
    }

    /// Not if all leaves were made anew by somebody who then died.
    private func isDamaged(leaf: Int64, in database: Database) throws -> Bool {
        let query = try database.prepare("SELECT entries, sum FROM packed_leaf WHERE id = ?")
        return try query.first(leaf) { row in row.withBlob(0) { LeafSum.of($0) } != row.optionalInt(1) } ?? true
    }

    /// Damages again what was mended, if the mending was lost.
    fileprivate mutating func comeBack(in database: Database) throws {
        for (part, found) in mended {
            guard let statements = part.statements else { continue }
            let read = try database.prepare(statements.read)
            for (row, bytes) in found {
                read.bind(1, row)
                if try read.step(), read.blob(0) == bytes { add(part, row: row, bytes) }
                read.reset()
            }
        }
        mayHaveBadLeaf = mended[.index] != nil
    }

    fileprivate mutating func loseLog() { (isFresh, mayBeBetween) = (true, true) }

    /// - Parameter before: the rows that were read with the log.
    fileprivate mutating func tear(_ before: [Row], in database: Database) throws {
        let before = Set(before)
        torn += try Self.rows(in: database).count { !before.contains($0) }
    }

    fileprivate static func rows(in database: Database) throws -> [Row] {
        try database.prepare("SELECT id, rec FROM record").all { Row(id: $0.int(0), bytes: $0.blob(1)) }
    }

    fileprivate struct Row: Hashable {
        let id: Int64
        let bytes: [UInt8]
    }

    /// A scrub must name all, and nothing else: compares with what it says. Nil if it is right.
    func error(of report: ZoneStore.ScrubReport) -> String? {
        // Nobody knows to which part a byte anywhere belongs.
        guard rows[.page] == nil else { return nil }
        func count(_ part: Part) -> Int { rows[part]?.count ?? 0 }
        let compared = [
            ("rows", report.damagedRows, count(.row)), ("blobs", report.damagedBlobs, count(.blob)),
            ("lanes", min(1, report.lanesDiffering), min(1, count(.row))),
            ("indexes", min(1, report.damagedIndexes), min(1, count(.index))),
            ("queued messages", report.lostMessages, count(.queue)),
        ]
        let wrong = compared.filter { what, found, damaged in
            if mayHaveBadLeaf, what == "indexes" { return false }
            if mayBeBetween, found > damaged, ["indexes", "lanes", "blobs"].contains(what) { return false }
            if what == "rows", found > damaged { return found > damaged + torn }
            return found != damaged
        }
        guard !wrong.isEmpty else { return nil }
        return wrong.map { "\($1) \($0) instead of \($2)" }.joined(separator: ", ")
    }
}

extension SimulatedDisk {
    /// Takes the log away, and with it what was written last. False if there was none.
    func loseLog() -> Bool {
        mayBeUnreadable = true
        end()
        let before = try? readCopy(HomeDamage.rows)
        guard files.lose(FaultDisk.log) else { return false }
        damage.loseLog()
        // Otherwise the next start finds that the file is none.
        try? readCopy { database in
            try damage.comeBack(in: database)
            try damage.tear(before ?? [], in: database)
        }
        return true
    }

    /// Reads the files on a disk of its own: an error that is due, or no room for a log, would hide what is damaged.
    private func readCopy<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let copy = FaultDisk(seed: 0)
        copy.restore(files.copy())
        return try withExtendedLifetime(copy) { try body(copy.open()) }
    }

    /// Flips a bit of a part, while no process has the files open. False if there is none.
    func rot(_ part: HomeDamage.Part, draw: UInt64) throws -> Bool {
        end()
        disarm()
        files.revive()
        defer { end() }
        guard let statements = part.statements else { return rotPage(draw) }
        // A commit for which there is no room may be in the log nevertheless, and the next life finds it.
        guard !isFull else { return false }
        let database = try files.open()
        let query = try database.prepare(statements.select)
        var rows: [Int64] = []
        while try query.step() { rows.append(query.int(0)) }
        guard !rows.isEmpty else { return false }
        let row = rows[Int(draw % UInt64(rows.count))]
        let read = try database.prepare(statements.read)
        read.bind(1, row)
        guard try read.step() else { return false }
        var bytes = read.blob(0)
        read.reset()
        guard !bytes.isEmpty else { return false }
        bytes[Int((draw >> 16) % UInt64(bytes.count))] ^= 1 << UInt8((draw >> 48) % 8)
        let write = try database.prepare(statements.write)
        write.bind(1, row)
        write.bind(2, bytes)
        try write.run()
        damage.add(part, row: row, bytes)
        try database.checkpoint()
        return true
    }

    private func rotPage(_ draw: UInt64) -> Bool {
        guard let count = files.bytes()?.count, count > 0 else { return false }
        files.rot(at: Int(draw % UInt64(count)), bits: 1 << UInt8((draw >> 48) % 8))
        damage.add(.page, row: 0, [])
        mayBeUnreadable = true
        return true
    }
}

extension HomeDamage.Part {
    /// Finds rows of the part, reads the bytes of one, and writes them. Nil for a part without rows.
    fileprivate var statements: (select: String, read: String, write: String)? {
        switch self {
        case .row: return Self.statements("record", "rec")
        case .blob:
            return Self.statements(
                "blob", "data", "WHERE EXISTS(SELECT 1 FROM record WHERE record.id = blob.record AND blob = blob.id)")
        case .index:
            return Self.statements(
                "packed_leaf", "entries", "WHERE id IN (SELECT leaf FROM packed_directory WHERE count > 0)")
        case .queue: return Self.statements("queue", "sealed")
        case .page: return nil
        }
    }

    private static func statements(
        _ table: String, _ column: String, _ condition: String = ""
    ) -> (String, String, String) {
        (
            "SELECT id FROM \(table) \(condition) ORDER BY id", "SELECT \(column) FROM \(table) WHERE id = ?1",
            "UPDATE \(table) SET \(column) = ?2 WHERE id = ?1"
        )
    }
}
